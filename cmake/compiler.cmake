# Warnings, sanitizers and the numeric flags that the "same bits, always" promise rests on.

find_program(CCACHE ccache)
if(CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

add_library(kvasir_flags INTERFACE)
# -Wno-restrict: false alarms of GCC 12 on "literal" + std::string.
# -ffp-contract=off: gcc would fuse a*b+c on its own, in intrinsics too, and so change bits between builds.
target_compile_options(kvasir_flags INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wno-restrict
                       -ffp-contract=off $<$<BOOL:${KVASIR_WERROR}>:-Werror>)
target_compile_definitions(kvasir_flags INTERFACE KVASIR_VERSION="${PROJECT_VERSION}")

if(KVASIR_SANITIZE)
    # -O1 and line numbers alone: such a build is made to be run once, and compiling is what takes its time.
    # Instrumented code hides the ranges of values, which raises false alarms.
    set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1")
    add_compile_options(-fsanitize=${KVASIR_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all
                        -Wno-maybe-uninitialized -Wno-format-truncation)
    add_link_options(-fsanitize=${KVASIR_SANITIZE})
endif()
