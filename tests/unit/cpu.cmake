kvasir_test(tst_threadpool LINK kvasir_measure)
kvasir_test(tst_packing LINK kvasir_cpu)
kvasir_test(tst_matmul LINK kvasir_cpu)
