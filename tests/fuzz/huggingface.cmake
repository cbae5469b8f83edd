kvasir_fuzzer(fuzz_safetensors LINK kvasir_files)

# Without the rest of its library: that links the kernels, which take a quarter of an hour to compile here.
kvasir_fuzzer(fuzz_tokenizerjson LINK kvasir_text kvasir_files)
foreach(source metadatawriter textplan tokenizerjson tokenlist)
    target_sources(fuzz_tokenizerjson PRIVATE ${CMAKE_SOURCE_DIR}/engine/huggingface/${source}.cpp)
endforeach()
