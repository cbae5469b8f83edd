# The kernels for 64-bit ARM: built by a cross compiler, compared with the scalar ones under an emulator, once as a CPU with
# dot products and once as one without.
find_program(AARCH64_CXX aarch64-linux-gnu-g++)
find_program(AARCH64_EMULATOR NAMES qemu-aarch64 qemu-aarch64-static)
if(NOT AARCH64_CXX OR NOT AARCH64_EMULATOR)
    message(STATUS "no cross compiler and emulator for 64-bit ARM: its kernels are not tested")
elseif(NOT KVASIR_SANITIZE)
    include(ExternalProject)
    set(build ${CMAKE_BINARY_DIR}/arm)
    ExternalProject_Add(kvasir_arm SOURCE_DIR ${CMAKE_CURRENT_LIST_DIR} BINARY_DIR ${build} INSTALL_COMMAND "" BUILD_ALWAYS ON
        CMAKE_ARGS -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 -DCMAKE_CXX_COMPILER=${AARCH64_CXX}
                   -DCMAKE_BUILD_TYPE=Release -DKVASIR_WERROR=${KVASIR_WERROR})
    add_test(NAME arm_kernels COMMAND ${AARCH64_EMULATOR} ${build}/kernelcheck "NEON" "NEON dot product")
    add_test(NAME arm_kernels_without_dot COMMAND ${AARCH64_EMULATOR} -cpu cortex-a72 ${build}/kernelcheck "NEON")
endif()
