# The kernel files and the instruction sets they are compiled for. Always optimized, so that the tests meet the code that ships and
# a sanitizer build is not a hundred times slower. gcc's AVX-512 headers raise false alarms about uninitialized variables.
set(kernel_dir ${CMAKE_CURRENT_LIST_DIR})
set(kernel_flags -O2 -Wno-uninitialized)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    list(APPEND kernel_flags -Wno-maybe-uninitialized)
endif()
set_source_files_properties(${kernel_dir}/kernelsscalar.cpp PROPERTIES COMPILE_OPTIONS "${kernel_flags}")
if(KVASIR_SANITIZE)
    # The checks for undefined behaviour in vector code cost gcc minutes a file; addresses and threads stay checked.
    list(APPEND kernel_flags -fno-sanitize=undefined)
endif()
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set_source_files_properties(${kernel_dir}/kernelsavx2.cpp PROPERTIES
        COMPILE_OPTIONS "${kernel_flags};-mavx2;-mfma;-mf16c")
    set_source_files_properties(${kernel_dir}/kernelsavxvnni.cpp PROPERTIES
        COMPILE_OPTIONS "${kernel_flags};-mavx2;-mfma;-mf16c;-mavxvnni")
    # gcc 12.2 knows no -march=znver4. Its default for 512 bits is to prefer 256.
    set_source_files_properties(${kernel_dir}/kernelsavx512.cpp PROPERTIES
        COMPILE_OPTIONS "${kernel_flags};-march=x86-64-v4;-mavx512vnni;-mprefer-vector-width=512")
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    set_source_files_properties(${kernel_dir}/kernelsneon.cpp PROPERTIES COMPILE_OPTIONS "${kernel_flags}")
    set_source_files_properties(${kernel_dir}/kernelsneondot.cpp PROPERTIES
        COMPILE_OPTIONS "${kernel_flags};-march=armv8.2-a+dotprod")
endif()
