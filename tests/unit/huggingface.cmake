kvasir_test(tst_huggingface LINK kvasir_session SOURCES tokenizergolden.cpp)
kvasir_test(tst_hffolder LINK kvasir_session SOURCES tokenizergolden.cpp)
kvasir_test(tst_tokenizerjson LINK kvasir_session)
