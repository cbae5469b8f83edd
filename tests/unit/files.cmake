kvasir_test(tst_goldendata)
kvasir_test(tst_gguf LINK kvasir_files)
kvasir_test(tst_splitgguf LINK kvasir_model)
kvasir_test(tst_safetensors LINK kvasir_files)
