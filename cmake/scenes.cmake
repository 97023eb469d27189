# texla_embed_scenes(out program): sets `out` to a generated C file with the scenes of demos/<program>/scenes, in the order of their
# files' names, as demos/common/scene.h declares them; to nothing where there are none. NN-name.scene is the scene `name`.
function(texla_embed_scenes out program)
  set(folder ${PROJECT_SOURCE_DIR}/demos/${program}/scenes)
  set(generated ${PROJECT_BINARY_DIR}/generated/scenes/${program})
  file(GLOB files CONFIGURE_DEPENDS ${folder}/*.scene)
  list(SORT files)
  set(${out} "" PARENT_SCOPE)
  if(NOT files)
    return()
  endif()
  file(MAKE_DIRECTORY ${generated})
  foreach(file IN LISTS files)
    get_filename_component(base ${file} NAME_WE)
    string(REGEX REPLACE "^[0-9]+-" "" name ${base})
    string(MAKE_C_IDENTIFIER ${name} id)
    set(inc ${generated}/${name}.inc)
    add_custom_command(
      OUTPUT ${inc} COMMAND ${CMAKE_COMMAND} -DINPUT=${file} -DOUTPUT=${inc} -P ${PROJECT_SOURCE_DIR}/cmake/embed_shader.cmake
      DEPENDS ${file} ${PROJECT_SOURCE_DIR}/cmake/embed_shader.cmake COMMENT "Embedding ${base}.scene" VERBATIM)
    list(APPEND incs ${inc})
    string(APPEND arrays "static const unsigned char scene_${id}[] = {\n#include \"${name}.inc\"\n};\n")
    string(APPEND entries "    {\"${name}\", (const char *)scene_${id}},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${generated}/scenes.c CONTENT
    "#include \"common/scene.h\"\n\n${arrays}\nconst demoSceneText demoScenes[] = {\n${entries}    {0, 0},\n};\n" @ONLY)
  set_source_files_properties(${generated}/scenes.c PROPERTIES OBJECT_DEPENDS "${incs}")
  set(${out} ${generated}/scenes.c PARENT_SCOPE)
endfunction()
