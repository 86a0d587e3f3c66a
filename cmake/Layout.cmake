# The commit that is built: of a clone what git says, of an archive that git made what it wrote into commit.txt, else
# nothing.
find_program(GIT git)
file(STRINGS ${PROJECT_SOURCE_DIR}/cmake/commit.txt ENGINE_COMMIT LIMIT_COUNT 1)
if(NOT ENGINE_COMMIT MATCHES "^[0-9a-f]+$")
    set(ENGINE_COMMIT "")
    if(GIT)
        execute_process(COMMAND ${GIT} -C ${PROJECT_SOURCE_DIR} rev-parse --show-prefix --short=10 HEAD
            OUTPUT_VARIABLE lines ERROR_QUIET)
        # A clone's own root has no prefix. An unpacked archive in another repository does not get its commit.
        if(lines MATCHES "^\n([0-9a-f]+)\n$")
            set(ENGINE_COMMIT ${CMAKE_MATCH_1})
        endif()
        execute_process(COMMAND ${GIT} -C ${PROJECT_SOURCE_DIR} rev-parse --git-path logs/HEAD
            OUTPUT_VARIABLE moves ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
        get_filename_component(moves "${moves}" ABSOLUTE BASE_DIR ${PROJECT_SOURCE_DIR})
        if(ENGINE_COMMIT AND EXISTS ${moves})
            set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${moves})
        endif()
    endif()
endif()

# layout.json beside the program says where everything lies: once for the build tree, once for an installed one.
function(write_layout file exercises problems reference starters schemas libexec preludes headers templates emulator)
    file(CONFIGURE OUTPUT ${file} CONTENT "{
  \"version\": \"${PROJECT_VERSION}\",
  \"commit\": \"${ENGINE_COMMIT}\",
  \"compiler\": \"${CMAKE_CXX_COMPILER}\",
  \"exercises\": \"${exercises}\",
  \"problems\": \"${problems}\",
  \"reference\": \"${reference}\",
  \"starters\": \"${starters}\",
  \"schemas\": \"${schemas}\",
  \"kits\": \"${libexec}/kits\",
  \"canary\": \"${libexec}/canary\",
  \"objects\": \"${libexec}/objects\",
  \"preludes\": \"${preludes}\",
  \"headers\": \"${headers}\",
  \"driver_library\": \"${libexec}/libdriver.a\",
  \"driver_flags\": \"${DRIVER_FLAGS}\",
  \"templates\": \"${templates}\",
  \"emulator\": \"${emulator}\"
}
")
endfunction()

# The starters as they were shipped, so that `engine reset` and `engine verify` have them after a learner has edited the
# ones in exercises/. The committed version counts; a file that no longer says not_implemented is no starter.
function(keep_starters folder)
    file(GLOB starters RELATIVE ${PROJECT_SOURCE_DIR}/exercises CONFIGURE_DEPENDS
        ${PROJECT_SOURCE_DIR}/exercises/*/*.cpp ${PROJECT_SOURCE_DIR}/exercises/*/*.cu)
    foreach(starter IN LISTS starters)
        set(text "")
        if(GIT)
            execute_process(COMMAND ${GIT} -C ${PROJECT_SOURCE_DIR} show HEAD:exercises/${starter}
                OUTPUT_VARIABLE text ERROR_QUIET)
        endif()
        if(NOT text MATCHES "not_implemented" AND NOT EXISTS ${folder}/${starter})
            file(READ ${PROJECT_SOURCE_DIR}/exercises/${starter} text)
        endif()
        if(text MATCHES "not_implemented")
            file(WRITE ${folder}/${starter} "${text}")
        endif()
    endforeach()
endfunction()

keep_starters(${CONTENT_DIR}/starters)
write_layout(${CMAKE_BINARY_DIR}/app/layout.json
    ${PROJECT_SOURCE_DIR}/exercises ${PROJECT_SOURCE_DIR}/problems ${PROJECT_SOURCE_DIR}/reference
    ${CONTENT_DIR}/starters ${PROJECT_SOURCE_DIR}/schemas ${CONTENT_DIR} ${PROJECT_SOURCE_DIR}/validator/build/preludes
    ${PROJECT_SOURCE_DIR}/validator ${PROJECT_SOURCE_DIR}/app/scaffold/template ${EMULATOR_INCLUDE})

write_layout(${CMAKE_BINARY_DIR}/installed/layout.json
    ../../share/engine/exercises ../../share/engine/problems ../../share/engine/reference
    ../../share/engine/starters ../../share/engine/schemas . ../../share/engine/preludes
    ../../share/engine/headers ../../share/engine/template ../../share/engine/emulator)
install(PROGRAMS $<TARGET_FILE:engine> $<TARGET_FILE:canary> $<TARGET_FILE:stage> DESTINATION ${CMAKE_INSTALL_LIBDIR}/engine)
install(FILES ${CMAKE_BINARY_DIR}/installed/layout.json DESTINATION ${CMAKE_INSTALL_LIBDIR}/engine)
install(FILES ${CONTENT_DIR}/libdriver.a ${CONTENT_DIR}/libdriver.a.sha256 DESTINATION ${CMAKE_INSTALL_LIBDIR}/engine)
install(DIRECTORY ${CONTENT_DIR}/objects DESTINATION ${CMAKE_INSTALL_LIBDIR}/engine)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/exercises ${PROJECT_SOURCE_DIR}/problems ${PROJECT_SOURCE_DIR}/reference
    ${PROJECT_SOURCE_DIR}/schemas ${CONTENT_DIR}/starters ${PROJECT_SOURCE_DIR}/validator/build/preludes
    ${PROJECT_SOURCE_DIR}/app/scaffold/template DESTINATION share/engine)
install(FILES ${PROJECT_SOURCE_DIR}/docs/fine-print.md DESTINATION share/engine/docs)
read_words(kit/header_folders.inc header_folders)
foreach(folder IN LISTS header_folders)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/validator/${folder} DESTINATION share/engine/headers
        FILES_MATCHING PATTERN "*.h" PATTERN "table.cpp" PATTERN "*.cu")
endforeach()
install(DIRECTORY ${EMULATOR_INCLUDE}/ DESTINATION share/engine/emulator)
install(CODE "
    file(MAKE_DIRECTORY \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/bin\")
    file(CREATE_LINK ../${CMAKE_INSTALL_LIBDIR}/engine/engine \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/bin/engine\" SYMBOLIC)")
