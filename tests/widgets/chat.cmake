kvasir_test(tst_theme LINK kvasir_widgets GUI)
