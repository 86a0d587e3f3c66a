# Every folder of problems/ with a problem.json becomes a driver (suite + reference), a call table for submissions, and a
# program that holds all its known mistakes. Adding a problem changes nothing here.

set(CONTENT_DIR ${CMAKE_BINARY_DIR}/content)

# How the worker's side is compiled: as submissions are, and never with the sanitizers of ENGINE_SANITIZE.
set(WORKER_FLAGS -O2 -fPIE -D_GLIBCXX_ASSERTIONS -ffp-contract=off -Wall -Wextra)

function(add_worker_objects target)
    add_library(${target} OBJECT ${ARGN})
    target_compile_options(${target} PRIVATE ${WORKER_FLAGS})
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/validator ${PROJECT_SOURCE_DIR}/exercises)
endfunction()

# How what runs on the emulator is compiled: the table and the mistakes of CUDA problems.
set(EMULATOR_INCLUDE ${PROJECT_SOURCE_DIR}/validator/emulator/include)
set(EMULATED_FLAGS -fsanitize=alignment -fsanitize-undefined-trap-on-error)

function(emulate target)
    target_compile_options(${target} PRIVATE ${EMULATED_FLAGS})
    target_include_directories(${target} SYSTEM PRIVATE ${EMULATOR_INCLUDE})
endfunction()

# Puts the one object file of a library where the engine links submissions from.
function(stage_object target file)
    add_custom_command(OUTPUT ${file}
        COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_OBJECTS:${target}> ${file}
        DEPENDS $<TARGET_OBJECTS:${target}>)
    add_custom_target(stage_${target} ALL DEPENDS ${file})
endfunction()

# One mistake as C++: a CUDA source is rewritten first, as the judge does with a submission.
function(mistake_text file rewritten result)
    if(file MATCHES "\\.cu$")
        add_custom_command(OUTPUT ${rewritten} DEPENDS ${file} emulator_rewrite
            COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/mistakes
            COMMAND emulator_rewrite ${file} ${rewritten})
        set(file ${rewritten})
    endif()
    set(${result} ${file} PARENT_SCOPE)
endfunction()

function(compile_as_mistake target language)
    target_compile_options(${target} PRIVATE ${WORKER_FLAGS} -w) # wrong on purpose
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/validator ${PROJECT_SOURCE_DIR}/exercises)
    if(language STREQUAL cuda)
        emulate(${target})
    endif()
endfunction()

# The headers that all mistakes read, and those that nvcc includes by itself, once for all problems of a language.
function(add_mistake_headers language)
    add_library(mistake_headers_${language} OBJECT ${CMAKE_BINARY_DIR}/standard_headers.cpp)
    compile_as_mistake(mistake_headers_${language} ${language})
    set(headers ${PROJECT_SOURCE_DIR}/validator/subject/shim/table.h <algorithm> <array> <cmath> <cstring> <functional> <numeric>
        <random> <span> <string> <thread>)
    if(language STREQUAL cuda)
        list(PREPEND headers <cuda_runtime.h>)
    endif()
    target_precompile_headers(mistake_headers_${language} PRIVATE ${headers})
endfunction()

# Mistakes share a part, because the headers cost more than they do; several parts keep several cores busy.
set(MISTAKES_IN_A_PART 16)

function(add_mistakes id exercise language)
    file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/problems/${id}/mistakes/*.cpp
        ${PROJECT_SOURCE_DIR}/problems/${id}/mistakes/*.cu)
    set(generated ${CMAKE_CURRENT_BINARY_DIR}/mistakes/${id})
    file(MAKE_DIRECTORY ${generated})
    set(sources)
    set(declarations)
    set(rows)
    set(count 0)
    while(files)
        list(SUBLIST files 0 ${MISTAKES_IN_A_PART} mistakes)
        list(REMOVE_ITEM files ${mistakes})
        list(LENGTH sources number)
        set(part part_${number})
        set(texts)
        set(row 0)
        foreach(file IN LISTS mistakes)
            get_filename_component(name ${file} NAME_WE)
            mistake_text(${file} ${generated}/${name}.rewritten.h text)
            list(APPEND texts ${text})
            string(APPEND rows "&${part}[${row}], ")
            math(EXPR row "${row} + 1")
        endforeach()
        add_custom_command(OUTPUT ${generated}/${part}.cpp DEPENDS bundle_mistakes ${exercise}/contract.h
            COMMAND bundle_mistakes ${generated}/${part}.cpp ${exercise}/contract.h ${texts})
        set_source_files_properties(${generated}/${part}.cpp PROPERTIES OBJECT_DEPENDS "${texts}")
        list(APPEND sources ${generated}/${part}.cpp)
        string(APPEND declarations "extern const Table ${part}[];\n")
        math(EXPR count "${count} + ${row}")
    endwhile()
    if(count EQUAL 0)
        set(rows "nullptr")
    endif()
    file(CONFIGURE OUTPUT ${generated}/tables.cpp CONTENT
        "#include \"subject/shim/table.h\"
namespace subject::shim {
${declarations}const Table* const tables[] = {${rows}};
const std::size_t table_count = ${count};
}
")
    add_executable(mistakes_${id} ${sources} ${generated}/tables.cpp $<TARGET_OBJECTS:worker_shim>)
    compile_as_mistake(mistakes_${id} ${language})
    target_include_directories(mistakes_${id} PRIVATE ${exercise})
    target_precompile_headers(mistakes_${id} REUSE_FROM mistake_headers_${language})
    target_link_options(mistakes_${id} PRIVATE -static-libstdc++ -static-libgcc)
    if(language STREQUAL cuda)
        # Statically, as submissions are: a worker may open no libraries but the C library's.
        target_link_libraries(mistakes_${id} PRIVATE $<TARGET_OBJECTS:worker_emulated>
            $<TARGET_FILE:engine_emulator_runtime> -l:libboost_context.a)
        add_dependencies(mistakes_${id} engine_emulator_runtime)
    endif()
    set_target_properties(mistakes_${id} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CONTENT_DIR}/mistakes OUTPUT_NAME ${id})
endfunction()

# How suites are compiled, and what drives them: one set of flags, so that they share the headers they all read.
function(compile_for_driver target)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wno-missing-field-initializers -ffp-contract=off)
    target_link_libraries(${target} PRIVATE engine_harness)
endfunction()

function(add_driver_main)
    add_library(driver_main OBJECT ${PROJECT_SOURCE_DIR}/validator/harness/driver.cpp)
    compile_for_driver(driver_main)
    target_precompile_headers(driver_main PRIVATE ${PROJECT_SOURCE_DIR}/validator/harness/suite.h
        ${PROJECT_SOURCE_DIR}/validator/subject/proxy.h <algorithm> <cmath> <cstdint> <limits> <numeric> <vector>)
endfunction()

function(add_driver id exercise)
    file(GLOB references CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/reference/${id}/*.cpp)
    add_library(reference_${id} OBJECT ${references})
    target_compile_definitions(reference_${id} PRIVATE exercise=reference)
    target_compile_options(reference_${id} PRIVATE -Wall -Wextra -ffp-contract=off)
    target_include_directories(reference_${id} PRIVATE ${PROJECT_SOURCE_DIR}/exercises ${exercise})

    add_executable(driver_${id} ${PROJECT_SOURCE_DIR}/problems/${id}/suite.cpp $<TARGET_OBJECTS:driver_main>
        $<TARGET_OBJECTS:reference_${id}>)
    compile_for_driver(driver_${id})
    target_include_directories(driver_${id} PRIVATE ${exercise})
    target_precompile_headers(driver_${id} REUSE_FROM driver_main)
    set_target_properties(driver_${id} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CONTENT_DIR}/drivers OUTPUT_NAME ${id})
endfunction()

function(add_problem id language)
    set(exercise ${PROJECT_SOURCE_DIR}/exercises/${id})
    add_worker_objects(table_${id} ${PROJECT_SOURCE_DIR}/validator/subject/shim/table.cpp)
    target_include_directories(table_${id} PRIVATE ${exercise})
    if(language STREQUAL cuda)
        emulate(table_${id})
        target_compile_options(table_${id} PRIVATE -include cuda_runtime.h)
    endif()
    stage_object(table_${id} ${CONTENT_DIR}/objects/${id}/table.o)
    add_mistakes(${id} ${exercise} ${language})
    add_driver(${id} ${exercise})
endfunction()

function(add_problems)
    add_worker_objects(worker_shim ${PROJECT_SOURCE_DIR}/validator/subject/shim/shim.cpp)
    stage_object(worker_shim ${CONTENT_DIR}/objects/shim.o)
    add_worker_objects(worker_emulated ${PROJECT_SOURCE_DIR}/validator/subject/shim/emulated.cpp)
    stage_object(worker_emulated ${CONTENT_DIR}/objects/emulator/shim.o)
    # Without its debugging information, which every link of a submission would copy.
    add_custom_command(OUTPUT ${CONTENT_DIR}/objects/emulator/runtime.a
        COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_FILE:engine_emulator_runtime> ${CONTENT_DIR}/objects/emulator/runtime.a
        COMMAND ${CMAKE_STRIP} --strip-debug ${CONTENT_DIR}/objects/emulator/runtime.a
        DEPENDS engine_emulator_runtime)
    add_custom_target(stage_emulator_runtime ALL DEPENDS ${CONTENT_DIR}/objects/emulator/runtime.a)

    add_driver_main()
    add_mistake_headers(cpp)
    add_mistake_headers(cuda)
    file(GLOB manifests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/problems/*/problem.json)
    foreach(manifest IN LISTS manifests)
        get_filename_component(folder ${manifest} DIRECTORY)
        get_filename_component(id ${folder} NAME)
        file(READ ${manifest} text)
        string(JSON language ERROR_VARIABLE ignored GET "${text}" language)
        add_problem(${id} ${language})
    endforeach()
endfunction()
