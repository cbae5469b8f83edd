kvasir_fuzzer(fuzz_template LINK kvasir_text)
