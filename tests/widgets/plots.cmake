kvasir_test(tst_seriesmath LINK kvasir_widgets)
kvasir_test(tst_timelinewidget LINK kvasir_widgets GUI)
kvasir_test(tst_memorywidget LINK kvasir_widgets GUI)
kvasir_test(tst_phasewidget LINK kvasir_widgets GUI)
