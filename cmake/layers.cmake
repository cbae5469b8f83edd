# The layers of the house as link targets. A layer sees the headers of the targets it links, and of no other:
# engine code includes "files/gguf.h", widgets code "chat/chatview.h", so that a slip does not compile.

# kvasir_engine_library(NAME folder DEPENDS targets...): all sources of engine/<folder>.
function(kvasir_engine_library folder)
    cmake_parse_arguments(ARG "" "" "DEPENDS" ${ARGN})
    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/engine/${folder}/*.cpp
                                        ${CMAKE_SOURCE_DIR}/engine/${folder}/*.h
                                        ${CMAKE_SOURCE_DIR}/engine/${folder}/*/*.cpp
                                        ${CMAKE_SOURCE_DIR}/engine/${folder}/*/*.h)
    add_library(kvasir_${folder} STATIC ${sources})
    set_target_properties(kvasir_${folder} PROPERTIES LINKER_LANGUAGE CXX)
    target_include_directories(kvasir_${folder} PUBLIC ${CMAKE_SOURCE_DIR}/engine)
    target_link_libraries(kvasir_${folder} PUBLIC ${ARG_DEPENDS} PRIVATE kvasir_flags)
endfunction()

# All tests that the thread sanitizer is run on.
add_custom_target(kvasir_thread_tests)

# kvasir_test(name LINK targets... [GUI] [THREADS]): one Qt Test program from <name>.cpp beside the caller, known to CTest
# by that name. GUI: needs a display. THREADS: worth running under the thread sanitizer too.
function(kvasir_test name)
    cmake_parse_arguments(ARG "GUI;THREADS" "" "LINK;SOURCES" ${ARGN})
    add_executable(${name} ${name}.cpp ${ARG_SOURCES})
    set_target_properties(${name} PROPERTIES AUTOMOC ON RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
    target_link_libraries(${name} PRIVATE ${ARG_LINK} kvasir_testing Qt6::Test kvasir_flags)
    # Test code itself need not be fast: half the time to compile it.
    target_compile_options(${name} PRIVATE -O1)
    add_test(NAME ${name} COMMAND ${name})
    # A sanitizer makes a test several times slower. Qt Test has a limit of its own, for each test function.
    set(seconds 300)
    if(KVASIR_SANITIZE)
        set(seconds 1200)
    endif()
    set_tests_properties(${name} PROPERTIES TIMEOUT ${seconds} ENVIRONMENT QTEST_FUNCTION_TIMEOUT=${seconds}000)
    set(labels)
    if(ARG_GUI)
        list(APPEND labels gui)
    endif()
    if(ARG_THREADS)
        list(APPEND labels threads)
        add_dependencies(kvasir_thread_tests ${name})
    endif()
    set_tests_properties(${name} PROPERTIES LABELS "${labels}")
endfunction()
