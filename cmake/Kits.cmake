# What the engine makes kits from: the objects that every worker is linked with, and the library that every driver is.
# Problems themselves are content, which validator/kit builds when it is first needed: no part of this build.

set(CONTENT_DIR ${CMAKE_BINARY_DIR}/content)

# How the worker's side is compiled: as submissions are, and never with the sanitizers of ENGINE_SANITIZE.
set(WORKER_FLAGS -O2 -fPIE -D_GLIBCXX_ASSERTIONS -ffp-contract=off -Wall -Wextra)

function(add_worker_objects target)
    add_library(${target} OBJECT ${ARGN})
    target_compile_options(${target} PRIVATE ${WORKER_FLAGS})
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/validator ${PROJECT_SOURCE_DIR}/exercises)
endfunction()

set(EMULATOR_INCLUDE ${PROJECT_SOURCE_DIR}/validator/emulator/include)

# Puts the one object file of a library where the engine links submissions from.
function(stage_object target file)
    add_custom_command(OUTPUT ${file}
        COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_OBJECTS:${target}> ${file}
        DEPENDS $<TARGET_OBJECTS:${target}>)
    add_custom_target(stage_${target} ALL DEPENDS ${file})
endfunction()

# Puts an archive there without its debugging information, which every link would copy; and its checksum beside it.
function(stage_archive target file)
    get_filename_component(folder ${file} DIRECTORY)
    get_filename_component(name ${file} NAME)
    add_custom_command(OUTPUT ${file} ${file}.sha256
        COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_FILE:${target}> ${file}
        COMMAND ${CMAKE_STRIP} --strip-debug ${file}
        COMMAND ${CMAKE_COMMAND} -E chdir ${folder} ${CMAKE_COMMAND} -E sha256sum ${name} > ${file}.sha256
        DEPENDS ${target})
    add_custom_target(stage_${target} ALL DEPENDS ${file})
endfunction()

# How a driver is compiled, as far as the library that it is linked with decides it.
set(DRIVER_FLAGS "-O2 -DNDEBUG")
if(ENGINE_SANITIZE)
    set(DRIVER_FLAGS "-O0 -DNDEBUG -fsanitize=address,undefined -fno-sanitize-recover=undefined")
endif()

# A driver's main, and all libraries that it needs, as one archive.
function(add_driver_library)
    set(objects)
    foreach(library harness events subject isolation system model)
        list(APPEND objects $<TARGET_OBJECTS:engine_${library}>)
    endforeach()
    add_library(driver STATIC ${PROJECT_SOURCE_DIR}/validator/harness/driver.cpp ${objects})
    engine_compile_options(driver)
    target_link_libraries(driver PRIVATE engine_harness)
endfunction()

add_worker_objects(worker_shim ${PROJECT_SOURCE_DIR}/validator/subject/shim/shim.cpp)
stage_object(worker_shim ${CONTENT_DIR}/objects/shim.o)
add_worker_objects(worker_replay ${PROJECT_SOURCE_DIR}/validator/subject/shim/replay.cpp)
stage_object(worker_replay ${CONTENT_DIR}/objects/replay.o)
add_worker_objects(worker_emulated ${PROJECT_SOURCE_DIR}/validator/subject/shim/emulated.cpp)
stage_object(worker_emulated ${CONTENT_DIR}/objects/emulator/shim.o)
add_worker_objects(worker_own_trace ${PROJECT_SOURCE_DIR}/validator/subject/shim/own_trace.cpp)
stage_object(worker_own_trace ${CONTENT_DIR}/objects/emulator/own_trace.o)
stage_archive(engine_emulator_runtime ${CONTENT_DIR}/objects/emulator/runtime.a)
add_driver_library()
stage_archive(driver ${CONTENT_DIR}/libdriver.a)

# All that the engine needs to judge with, for a build of it alone.
add_custom_target(engine_parts DEPENDS canary stage stage_worker_shim stage_worker_replay stage_worker_emulated stage_worker_own_trace
    stage_engine_emulator_runtime stage_driver)
