# No Google Benchmark: it reads the vocabulary and the texts that it is given.
add_executable(bench_tokenizer bench_tokenizer.cpp)
set_target_properties(bench_tokenizer PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
target_link_libraries(bench_tokenizer PRIVATE kvasir_text kvasir_flags)
