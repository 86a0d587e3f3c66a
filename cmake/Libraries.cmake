# The tests are some two hundred programs: mold links them in a fraction of the time.
find_program(ENGINE_MOLD mold)
if(ENGINE_TESTS AND ENGINE_MOLD)
    add_link_options(-fuse-ld=mold)
endif()

# How our own code is compiled.
function(engine_flags target)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
        -Wno-missing-field-initializers)
    # Large units make GCC collect garbage again and again; what it would find is little.
    if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND ENGINE_UNITY)
        target_compile_options(${target} PRIVATE --param=ggc-min-expand=200 --param=ggc-min-heapsize=400000)
    endif()
    if(ENGINE_WARNINGS_AS_ERRORS)
        target_compile_options(${target} PRIVATE -Werror)
    endif()
    if(ENGINE_SANITIZE)
        target_compile_options(${target} PRIVATE -fsanitize=address,undefined -fno-sanitize-recover=undefined
            $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>) # which GCC says wrongly of instrumented code
        target_link_options(${target} PUBLIC -fsanitize=address,undefined) # for all that link it
    endif()
    if(ENGINE_FUZZ)
        target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
    endif()
endfunction()

# The standard headers that most files read, once for all of our own code. A header still includes what it names:
# tests/structure compiles each alone.
set(STANDARD_HEADERS <algorithm> <array> <chrono> <cstdint> <filesystem> <fstream> <functional> <iostream> <map> <memory>
    <optional> <set> <span> <string> <string_view> <utility> <vector>)
file(WRITE ${CMAKE_BINARY_DIR}/standard_headers.cpp "")
add_library(standard_headers OBJECT ${CMAKE_BINARY_DIR}/standard_headers.cpp)
engine_flags(standard_headers)
target_precompile_headers(standard_headers PRIVATE ${STANDARD_HEADERS})

function(engine_compile_options target)
    engine_flags(${target})
    target_precompile_headers(${target} REUSE_FROM standard_headers)
endfunction()

# All sources of a target as one unit, where the build is made once and not edited: most of the time goes to headers.
function(engine_unity target)
    if(ENGINE_UNITY)
        set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
        target_compile_options(${target} PRIVATE -Wno-shadow) # which would count the names of other files
    endif()
endfunction()

# What works while a submission runs. The rest of a release is compiled with -O1, in four fifths of the time. Precompiled
# headers are of one level, so these have their own.
function(engine_fast target)
    if(CMAKE_BUILD_TYPE STREQUAL Release)
        if(NOT TARGET fast_headers)
            add_library(fast_headers OBJECT ${CMAKE_BINARY_DIR}/standard_headers.cpp)
            engine_flags(fast_headers)
            target_compile_options(fast_headers PRIVATE -O2)
            target_precompile_headers(fast_headers PRIVATE ${STANDARD_HEADERS})
        endif()
        target_compile_options(${target} PRIVATE -O2)
        set_target_properties(${target} PROPERTIES PRECOMPILE_HEADERS_REUSE_FROM fast_headers)
    endif()
endfunction()

# One library a folder of validator/: engine_library(report LINK model). It may include what it links, and nothing else.
function(engine_library name)
    cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
    add_library(engine_${name} STATIC ${ARG_SOURCES})
    target_include_directories(engine_${name} PUBLIC ${PROJECT_SOURCE_DIR}/validator)
    engine_compile_options(engine_${name})
    engine_unity(engine_${name})
    foreach(library IN LISTS ARG_LINK)
        if(TARGET ${library})
            target_link_libraries(engine_${name} PUBLIC ${library})
        else()
            target_link_libraries(engine_${name} PUBLIC engine_${library})
        endif()
    endforeach()
endfunction()

# Tests are compiled far longer than they run: without optimisation, and with doctest among the precompiled headers.
function(engine_test_options target)
    engine_flags(${target})
    target_compile_options(${target} PRIVATE -O0)
    target_link_libraries(${target} PRIVATE doctest::doctest)
endfunction()

if(ENGINE_TESTS)
    add_library(test_headers OBJECT ${CMAKE_BINARY_DIR}/standard_headers.cpp)
    engine_test_options(test_headers)
    target_precompile_headers(test_headers PRIVATE ${STANDARD_HEADERS} <doctest/doctest.h>)
endif()

# engine_test(json_test page_test LINK report) in tests/unit/report: the program unit_report of these files, where each file
# is a ctest of label "unit": unit/report/json_test and unit/report/page_test. The program of a single file is named after
# the file, so that two folders may have a file of the same name.
function(engine_test)
    cmake_parse_arguments(ARG "" "LABEL" "LINK;SOURCES" ${ARGN})
    if(NOT ARG_LABEL)
        set(ARG_LABEL unit)
    endif()
    set(sources)
    set(names)
    foreach(path IN LISTS ARG_UNPARSED_ARGUMENTS)
        list(APPEND sources ${path}.cpp)
        file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR}/tests ${CMAKE_CURRENT_SOURCE_DIR}/${path})
        list(APPEND names ${name})
    endforeach()
    list(LENGTH names count)
    set(program ${name})
    if(count GREATER 1)
        get_filename_component(program ${name} DIRECTORY)
    endif()
    string(REPLACE "/" "_" target ${program})
    add_executable(${target} ${sources} ${ARG_SOURCES})
    engine_test_options(${target})
    if(count GREATER 1)
        engine_unity(${target})
    endif()
    target_precompile_headers(${target} REUSE_FROM test_headers)
    target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/tests)
    target_compile_definitions(${target} PRIVATE ENGINE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    target_link_libraries(${target} PRIVATE engine_test_main)
    foreach(library IN LISTS ARG_LINK)
        if(TARGET ${library})
            target_link_libraries(${target} PRIVATE ${library})
        else()
            target_link_libraries(${target} PRIVATE engine_${library})
        endif()
    endforeach()
    add_dependencies(${ARG_LABEL}_tests ${target})
    foreach(name IN LISTS names)
        get_filename_component(file ${name} NAME)
        add_test(NAME ${name} COMMAND ${target} "--source-file=*/${file}.cpp")
        set_tests_properties(${name} PROPERTIES LABELS ${ARG_LABEL} TIMEOUT 300)
    endforeach()
endfunction()

# The words of a file that C++ includes as a list: a line a word, in quotes, with a comma behind it.
function(read_words file result)
    set(path ${PROJECT_SOURCE_DIR}/validator/${file})
    set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
    file(STRINGS ${path} lines REGEX "^\"")
    list(TRANSFORM lines REPLACE "^\"(.*)\",$" "\\1")
    set(${result} ${lines} PARENT_SCOPE)
endfunction()
