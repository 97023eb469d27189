# The pages: the site can be built and its links lead somewhere; programs and steps in the documents do what the documents say.
set(docs_environment SOURCE=${PROJECT_SOURCE_DIR} BINARY=${PROJECT_BINARY_DIR} CC=${CMAKE_C_COMPILER} CMAKE=${CMAKE_COMMAND}
                     "CFLAGS=${CMAKE_C_FLAGS}" "LDFLAGS=${CMAKE_EXE_LINKER_FLAGS}")
file(GLOB scripts RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/docs CONFIGURE_DEPENDS docs/*.sh)
foreach(file IN LISTS scripts)
  string(REPLACE .sh "" name ${file})
  set(optional OPTIONAL)
  if(name MATCHES "^(commands|contributing|messages)$") # which build little
    set(optional)
  endif()
  texla_script(docs/${name} ${optional} ENVIRONMENT ${docs_environment})
endforeach()
