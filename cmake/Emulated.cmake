# Kernels that we run ourselves, for tests and the benchmark: a .cu file goes the way of a submission, rewritten and then
# compiled against the emulator's headers as the engine compiles the judged and the traced build.
set(EMULATED_plain -O2 -g1 -D_GLIBCXX_ASSERTIONS -ffp-contract=off -fsanitize=alignment -fsanitize-undefined-trap-on-error)
set(EMULATED_traced -O1 -g1 -ffp-contract=off -fsanitize=thread --param tsan-instrument-func-entry-exit=0
                    -fno-tree-sra -fno-ipa-sra -fno-tree-ch -fno-tree-dominator-opts -fno-thread-jumps
                    -fno-builtin-memcpy -fno-builtin-memmove -fno-builtin-memset)

# emulated_cuda(emulated_scan_plain kernels/scan.cu plain): the file as an object library; build is plain or traced.
function(emulated_cuda target file build)
    set(rewritten ${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp)
    add_custom_command(OUTPUT ${rewritten} DEPENDS ${file} emulator_rewrite
                       COMMAND emulator_rewrite ${CMAKE_CURRENT_SOURCE_DIR}/${file} ${rewritten})
    add_library(${target} OBJECT ${rewritten})
    target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/validator)
    target_include_directories(${target} SYSTEM PRIVATE ${PROJECT_SOURCE_DIR}/validator/emulator/include)
    target_compile_options(${target} PRIVATE -UNDEBUG -include cuda_runtime.h ${EMULATED_${build}})
endfunction()
