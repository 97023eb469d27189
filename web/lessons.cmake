# The lessons' page: build/web/lessons.html, all of them as one program (live.c), their shaders in an editor. Of 15 only the exercise's solution runs, since the
# lesson itself has a second thread, which a page does not have; 18 calls OpenGL itself, in WebGL's words (plain.c).
set(lesson_folder ${PROJECT_SOURCE_DIR}/demos/lessons)
file(GLOB folders RELATIVE ${lesson_folder} CONFIGURE_DEPENDS ${lesson_folder}/[0-9][0-9]_*)
set(table)
foreach(folder IN LISTS folders)
  foreach(part main solution)
    set(file ${lesson_folder}/${folder}/${part}.c)
    if(EXISTS ${file} AND NOT "${folder}/${part}" STREQUAL "15_asynchronous/main")
      set(begin lesson_${folder}_${part})
      string(APPEND table "LESSON(\"${folder}\", \"${part}\", ${begin})\n")
      set_source_files_properties(${file} PROPERTIES COMPILE_DEFINITIONS "main=${begin};clKernelCreate=lessonKernelCreate")
      list(APPEND lesson_files ${file})
    endif()
  endforeach()
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/lessons.inc CONTENT "${table}")
set_property(SOURCE ${lesson_folder}/18_mistakes/main.c APPEND PROPERTY COMPILE_DEFINITIONS
             glShaderSource=lessonShaderSource glTexImage2D=lessonTexImage2D glGetTexImage=lessonGetTexImage glDrawArrays=lessonDrawArrays)

add_executable(web_lessons ${CMAKE_CURRENT_LIST_DIR}/lessons/live.c ${CMAKE_CURRENT_LIST_DIR}/lessons/plain.c ${lesson_folder}/lesson.c ${lesson_files})
target_include_directories(web_lessons PRIVATE ${lesson_folder} ${PROJECT_SOURCE_DIR}/src ${PROJECT_BINARY_DIR}/generated)
target_link_libraries(web_lessons PRIVATE texla_sim_static m)
target_link_options(web_lessons PRIVATE ${web_link} -sSINGLE_FILE=0 -sENVIRONMENT=worker -sFORCE_FILESYSTEM=1
                                        -sEXPORTED_FUNCTIONS=_main,_fflush -sEXPORTED_RUNTIME_METHODS=FS,ENV,callMain)
set_target_properties(web_lessons PROPERTIES OUTPUT_NAME lessons)

set(texts)
foreach(folder IN LISTS folders)
  file(GLOB files CONFIGURE_DEPENDS ${lesson_folder}/${folder}/*.c ${lesson_folder}/${folder}/page.md)
  list(APPEND texts ${files})
endforeach()
set(folder ${CMAKE_CURRENT_LIST_DIR}/lessons)
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/generated/lessons.json DEPENDS ${folder}/texts.py ${texts}
  COMMAND ${Python3_EXECUTABLE} ${folder}/texts.py ${lesson_folder} ${PROJECT_BINARY_DIR}/generated/lessons.json ${folders} VERBATIM)
texla_assemble(web_lessons_html lessons.html ${folder}/lessons.html STYLE=${folder}/style.css WORKER=${folder}/worker.js
               PROGRAM=${PROJECT_BINARY_DIR}/bin/lessons.js WASM=${PROJECT_BINARY_DIR}/bin/lessons.wasm UNPACK=${PROJECT_SOURCE_DIR}/web/unpack.js
               PAGE=${folder}/lessons.js LESSONS=${PROJECT_BINARY_DIR}/generated/lessons.json)
add_dependencies(web_lessons_html web_lessons)
