# What an installed engine has besides its own files (Layout.cmake): manual page and completion, made by the engine itself
# from its table of commands; and the Debian package: cpack -G DEB, in the build folder of the release preset.

function(made_by_engine file)
    add_custom_command(OUTPUT ${file} DEPENDS engine ${CMAKE_BINARY_DIR}/app/layout.json
        COMMAND ${CMAKE_COMMAND} -E env -- sh -c "exec \"$@\" > ${file}" sh $<TARGET_FILE:engine> ${ARGN} VERBATIM)
endfunction()

set(PAGES ${CMAKE_BINARY_DIR}/pages)
file(MAKE_DIRECTORY ${PAGES})
made_by_engine(${PAGES}/engine.1 manual)
made_by_engine(${PAGES}/engine completion bash)
made_by_engine(${PAGES}/_engine completion zsh)
add_custom_target(pages ALL DEPENDS ${PAGES}/engine.1 ${PAGES}/engine ${PAGES}/_engine)

install(FILES ${PAGES}/engine.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${PAGES}/engine DESTINATION share/bash-completion/completions)
install(FILES ${PAGES}/_engine DESTINATION share/zsh/vendor-completions)
install(FILES ${PROJECT_SOURCE_DIR}/docs/authoring.md ${PROJECT_SOURCE_DIR}/docs/package-format.md
    ${PROJECT_SOURCE_DIR}/docs/grading.md ${PROJECT_SOURCE_DIR}/docs/gradebook.md
    ${PROJECT_SOURCE_DIR}/docs/ci.md
    DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ci DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)

set(CPACK_PACKAGE_NAME engine)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The authors of engine <engine@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "exercises on the embedding layer of a language model")
set(CPACK_PACKAGE_DESCRIPTION "Understand the embedding layer of a language model by writing it, in C++ and CUDA.
The engine compiles a learner's file, runs it in a process of its own, compares it with a trusted reference and names the
mistake that was made. CUDA runs on an emulator: no GPU is needed.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_GENERATOR DEB)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION education)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# A submission is compiled where it is judged, and a suite, which is written with doctest, where it is first needed.
# Deadlines are in the time zones of tzdata. Boost.Context is linked into the workers of CUDA problems; addr2line names the lines of a trace.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "g++ (>= 4:12), binutils, libboost-context-dev, doctest-dev, tzdata")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "mold")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "clangd, gdb, similarity-tester")
include(CPack)
