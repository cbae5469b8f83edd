kvasir_test(tst_theme LINK kvasir_widgets GUI)
kvasir_test(tst_markdown LINK kvasir_widgets)
kvasir_test(tst_chatview LINK kvasir_widgets GUI)
kvasir_test(tst_composer LINK kvasir_widgets GUI)
