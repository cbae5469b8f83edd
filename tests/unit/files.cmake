kvasir_test(tst_goldendata)
