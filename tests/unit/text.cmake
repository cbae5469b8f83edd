kvasir_test(tst_tokenizer_bpe LINK kvasir_text SOURCES tokenizergolden.cpp tokenizergolden.h)
kvasir_test(tst_tokenizer_spm LINK kvasir_text SOURCES tokenizergolden.cpp tokenizergolden.h)
kvasir_test(tst_detokenizer LINK kvasir_text)
kvasir_test(tst_stopmatcher LINK kvasir_text)
