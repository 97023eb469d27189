# What differs by system in the build: files of other systems (system_others, a pattern), how OpenGL is reached (system_opengl; by
# windows: system_window), and what each program has of its own (system_program).
if(WIN32)
  find_package(OpenGL REQUIRED)
  set(system_opengl OpenGL::GL)
  set(system_window OpenGL::GL)
  # Part of each program: what it tells Windows of itself.
  enable_language(RC)
  set(system_program ${PROJECT_SOURCE_DIR}/src/platform/windows_program.c ${PROJECT_SOURCE_DIR}/cmake/windows/program.rc)
  set(system_others "/platform/(posix|windows_program)\\.c$|/gl/(displays|platform_egl)\\.c$")
  add_compile_options(-Wno-float-conversion) # its isfinite and isnan
  add_compile_definitions(GLEW_STATIC NOMINMAX __USE_MINGW_ANSI_STDIO=1)
elseif(APPLE)
  find_package(OpenGL REQUIRED)
  set(system_opengl OpenGL::GL)
  set(system_window OpenGL::GL)
  set(system_others "/platform/windows[_a-z]*\\.c$|/gl/(displays|platform_egl|platform_wgl)\\.c$")
else()
  find_package(OpenGL REQUIRED COMPONENTS OpenGL EGL)
  set(system_opengl OpenGL::OpenGL OpenGL::EGL)
  set(system_window OpenGL::OpenGL)
  set(system_others "/platform/windows[_a-z]*\\.c$|/gl/platform_wgl\\.c$")
endif()
