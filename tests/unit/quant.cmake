kvasir_test(tst_half LINK kvasir_base)
kvasir_test(tst_dequantize LINK kvasir_quant)
