kvasir_test(tst_theme LINK kvasir_widgets GUI)
kvasir_test(tst_markdown LINK kvasir_widgets)
