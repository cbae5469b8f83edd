kvasir_test(tst_huggingface LINK kvasir_session SOURCES tokenizergolden.cpp)
