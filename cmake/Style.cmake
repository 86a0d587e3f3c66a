# Run as: cmake -DSOURCE_DIR=... -P cmake/Style.cmake
# Layout by clang-format, static checks by clang-tidy over the dev build, shell by shellcheck; each is skipped, aloud, where the
# tool is missing.
cmake_minimum_required(VERSION 3.22)

file(GLOB_RECURSE sources
    ${SOURCE_DIR}/app/*.cpp ${SOURCE_DIR}/app/*.h ${SOURCE_DIR}/validator/*.cpp ${SOURCE_DIR}/validator/*.h
    ${SOURCE_DIR}/tests/unit/*.cpp ${SOURCE_DIR}/tests/unit/*.h ${SOURCE_DIR}/exercises/*.h)

find_program(CLANG_FORMAT NAMES clang-format-14 clang-format)
if(CLANG_FORMAT)
    execute_process(COMMAND ${CLANG_FORMAT} --dry-run --Werror ${sources} RESULT_VARIABLE result)
    if(result)
        message(FATAL_ERROR "clang-format would change the files above")
    endif()
    message(STATUS "clang-format: nothing to change")
else()
    message(STATUS "clang-format: skipped, not installed")
endif()

find_program(CLANG_TIDY NAMES clang-tidy-14 clang-tidy)
find_program(RUN_CLANG_TIDY NAMES run-clang-tidy-14 run-clang-tidy)
if(CLANG_TIDY AND RUN_CLANG_TIDY)
    execute_process(
        COMMAND ${RUN_CLANG_TIDY} -quiet -p ${SOURCE_DIR}/build/dev
            -extra-arg=-Wno-unknown-warning-option # GCC's names of warnings
            "${SOURCE_DIR}/(app|validator)/(?!subject/shim).*[.]cpp$"
        RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_QUIET)
    if(result)
        string(REGEX MATCHALL "[^\n]*(error|warning):[^\n]*" findings "${output}")
        list(JOIN findings "\n" findings)
        message(FATAL_ERROR "clang-tidy:\n${findings}")
    endif()
    message(STATUS "clang-tidy: nothing found")
else()
    message(STATUS "clang-tidy: skipped, not installed")
endif()

find_program(SHELLCHECK shellcheck)
if(SHELLCHECK)
    execute_process(COMMAND ${SHELLCHECK} ${SOURCE_DIR}/engine ${SOURCE_DIR}/.ci/run RESULT_VARIABLE result)
    if(result)
        message(FATAL_ERROR "shellcheck found something")
    endif()
    message(STATUS "shellcheck: nothing found")
else()
    message(STATUS "shellcheck: skipped, not installed")
endif()
