# Manual pages in build/man1, from what the programs say of themselves (--help-as man), and completion for shells.
find_program(BASH bash)
if(NOT programs OR NOT BASH OR CMAKE_CROSSCOMPILING OR TEXLA_SANITIZE)
  return()
endif()
set(documented ${programs})
list(REMOVE_ITEM documented texla-bench texla-mpi-bench) # commands of texla and texla-mpi, which have their pages
set(program_files)
foreach(program IN LISTS documented)
  list(APPEND program_files $<TARGET_FILE:${program}>)
endforeach()
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/man1/stamp
  COMMAND ${BASH} ${PROJECT_SOURCE_DIR}/cmake/manuals.sh ${PROJECT_BINARY_DIR}/man1 ${program_files}
  COMMAND ${CMAKE_COMMAND} -E touch ${PROJECT_BINARY_DIR}/man1/stamp
  DEPENDS ${programs} cmake/manuals.sh COMMENT "Writing manual pages" VERBATIM)
add_custom_target(manuals ALL DEPENDS ${PROJECT_BINARY_DIR}/man1/stamp)
foreach(program IN LISTS programs)
  string(REPLACE texla_cli texla program ${program})
  set(component demos)
  set(others "no other program's")
  if(program STREQUAL texla)
    set(component tools)
    set(others "/texla-(mpi|bench)") # which are other packages'
  elseif(program STREQUAL texla-bench)
    set(component bench)
  elseif(program MATCHES "^texla-mpi")
    set(component mpi)
  endif()
  install(DIRECTORY ${PROJECT_BINARY_DIR}/man1/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT ${component}
          FILES_MATCHING REGEX "/${program}(-[a-z]+)?\\.1\\.gz$" REGEX "${others}" EXCLUDE)
  install(FILES src/cli/completion.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME ${program}
          COMPONENT ${component})
endforeach()
install(FILES src/cli/completion.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions RENAME _texla COMPONENT tools)
