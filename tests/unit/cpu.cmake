kvasir_test(tst_threadpool LINK kvasir_measure THREADS)
kvasir_test(tst_packing LINK kvasir_cpu)
kvasir_test(tst_matmul LINK kvasir_cpu THREADS)
kvasir_test(tst_ops LINK kvasir_cpu)
kvasir_test(tst_attention LINK kvasir_cpu THREADS)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    add_test(NAME tst_kernelsymbols COMMAND ${CMAKE_COMMAND} -DNM=${CMAKE_NM} "-DOBJECTS=$<TARGET_OBJECTS:kvasir_cpu>"
             -P ${CMAKE_SOURCE_DIR}/tests/support/kernelsymbols.cmake)
endif()
