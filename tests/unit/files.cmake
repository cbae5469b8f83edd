kvasir_test(tst_goldendata)
kvasir_test(tst_gguf LINK kvasir_files)
kvasir_test(tst_splitgguf LINK kvasir_model)
