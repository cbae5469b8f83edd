kvasir_test(tst_modelconfig LINK kvasir_model)
