# Kernels that we run ourselves, for tests and the benchmark: a .cu file goes the way of a submission, rewritten and then
# compiled against the emulator's headers as the engine compiles the judged and the traced build.
read_words(build/flags/emulated.inc EMULATED_plain)
read_words(build/flags/traced.inc EMULATED_traced)

# emulated_cuda(emulated_scan_plain kernels/scan.cu plain): the file as an object library; build is plain or traced.
function(emulated_cuda target file build)
    set(rewritten ${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp)
    get_filename_component(source ${file} ABSOLUTE)
    add_custom_command(OUTPUT ${rewritten} DEPENDS ${source} emulator_rewrite
                       COMMAND emulator_rewrite ${source} ${rewritten})
    add_library(${target} OBJECT ${rewritten})
    target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/validator)
    target_include_directories(${target} SYSTEM PRIVATE ${PROJECT_SOURCE_DIR}/validator/emulator/include)
    target_compile_options(${target} PRIVATE -UNDEBUG -include cuda_runtime.h ${EMULATED_${build}})
endfunction()
