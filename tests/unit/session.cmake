kvasir_test(tst_measure LINK kvasir_measure)
kvasir_test(tst_sampler LINK kvasir_session)
