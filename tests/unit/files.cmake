kvasir_test(tst_goldendata)
kvasir_test(tst_gguf LINK kvasir_files)
