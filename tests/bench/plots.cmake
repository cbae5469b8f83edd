# No Google Benchmark: it measures processor time of a live window, not of a function.
add_executable(bench_plots bench_plots.cpp)
set_target_properties(bench_plots PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
target_link_libraries(bench_plots PRIVATE kvasir_widgets kvasir_flags)
