kvasir_test(tst_conversationstore LINK kvasir_app THREADS)
kvasir_test(tst_engineworker LINK kvasir_app THREADS)
kvasir_test(tst_modelpaths LINK kvasir_app)
kvasir_test(tst_translations LINK kvasir_app)
target_compile_definitions(tst_translations PRIVATE KVASIR_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
                           KVASIR_LUPDATE="$<TARGET_FILE:Qt6::lupdate>")
kvasir_test(tst_mainwindow LINK kvasir_app GUI)
kvasir_test(tst_program LINK kvasir_app GUI)
target_compile_definitions(tst_program PRIVATE KVASIR_PROGRAM="$<TARGET_FILE:kvasir>")
add_dependencies(tst_program kvasir)
# Whole replies of the real model, under a sanitizer perhaps.
set_tests_properties(tst_mainwindow tst_program PROPERTIES TIMEOUT 900)
kvasir_test(tst_reasoning LINK kvasir_app GUI)
