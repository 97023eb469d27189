# `make deb`: packages for Debian in build-deb, one for each component of the installation.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME texla)
# Who answers for the packages: as Debian's tools have it, from DEBFULLNAME and DEBEMAIL; a placeholder where those are not set.
set(maintainer "The texla authors <texla@example.org>")
if(DEFINED ENV{DEBFULLNAME} AND DEFINED ENV{DEBEMAIL})
  set(maintainer "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
endif()
set(TEXLA_MAINTAINER "${maintainer}" CACHE STRING "Name and address of the maintainer of the packages: Name <address>")
set(CPACK_PACKAGE_CONTACT "${TEXLA_MAINTAINER}")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SECTION math)
set(CPACK_COMPONENTS_ALL texla_library texla_development texla_sim_library texla_sim_development tools bench demos python)

set(soversion ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(about "texla computes with the textures and fragment shaders of OpenGL 3.3:
 vectors, dense, banded and sparse matrices, iterative solvers, and
 simulations built from them. It needs no display, and without a graphics
 card Mesa's software renderer.")
# texla_package(COMPONENT NAME SECTION DEPENDS SUMMARY)
macro(texla_package component name section depends summary)
  string(TOUPPER ${component} key)
  set(CPACK_DEBIAN_${key}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${key}_PACKAGE_SECTION ${section})
  set(CPACK_DEBIAN_${key}_PACKAGE_DEPENDS "${depends}")
  set(CPACK_DEBIAN_${key}_DESCRIPTION "${summary}\n${about}")
  set(CPACK_COMPONENT_${key}_DESCRIPTION "${summary}\n${about}")
  configure_file(cmake/copyright.in deb/${component}/copyright @ONLY)
  execute_process(COMMAND gzip -9n INPUT_FILE ${PROJECT_BINARY_DIR}/deb/changelog OUTPUT_FILE ${PROJECT_BINARY_DIR}/deb/changelog.gz)
  install(FILES ${PROJECT_BINARY_DIR}/deb/${component}/copyright ${PROJECT_BINARY_DIR}/deb/changelog.gz
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} COMPONENT ${component})
endmacro()
file(WRITE ${PROJECT_BINARY_DIR}/deb/changelog
     "texla (${PROJECT_VERSION}) unstable; urgency=medium\n\n  * Version ${PROJECT_VERSION}.\n\n -- ${CPACK_PACKAGE_CONTACT}  Thu, 01 Jan 2026 00:00:00 +0000\n")
set(exactly "(= ${PROJECT_VERSION})")
texla_package(texla_library libtexla${soversion} libs "libegl1, libgl1-mesa-dri" "linear algebra in OpenGL fragment shaders: library")
texla_package(texla_development libtexla-dev libdevel "libtexla${soversion} ${exactly}"
              "linear algebra in OpenGL fragment shaders: headers and examples")
texla_package(texla_sim_library libtexla-sim${soversion} libs "libtexla${soversion} ${exactly}"
              "linear algebra in OpenGL fragment shaders: library of simulations")
texla_package(texla_sim_development libtexla-sim-dev libdevel "libtexla-sim${soversion} ${exactly}, libtexla-dev ${exactly}"
              "linear algebra in OpenGL fragment shaders: headers for simulations")
texla_package(tools texla math "libgl1-mesa-dri" "linear algebra in OpenGL fragment shaders: program")
texla_package(bench texla-bench math "libgl1-mesa-dri" "linear algebra in OpenGL fragment shaders: measurements")
texla_package(demos texla-demos math "libgl1-mesa-dri" "linear algebra in OpenGL fragment shaders: simulations")
texla_package(python python3-texla python "python3, python3-numpy, libtexla${soversion} (= ${PROJECT_VERSION})" "linear algebra in OpenGL fragment shaders: Python module")
set(libraries texla texla_sim)
if(TARGET texla-mpi)
  list(APPEND libraries texla_mpi)
  list(APPEND CPACK_COMPONENTS_ALL texla_mpi_library texla_mpi_development mpi)
  texla_package(texla_mpi_library libtexla-mpi${soversion} libs "libtexla-sim${soversion} ${exactly}"
                "linear algebra in OpenGL fragment shaders: library for MPI")
  texla_package(texla_mpi_development libtexla-mpi-dev libdevel "libtexla-mpi${soversion} ${exactly}, libtexla-sim-dev ${exactly}, libopenmpi-dev"
                "linear algebra in OpenGL fragment shaders: header for MPI")
  texla_package(mpi texla-mpi math "libgl1-mesa-dri" "linear algebra in OpenGL fragment shaders: program for MPI")
endif()
# What other packages have to say of the libraries that they need, and the loader's cache.
foreach(library IN LISTS libraries)
  string(TOUPPER ${library} key)
  string(REPLACE "_" "-" package ${library})
  set(folder ${PROJECT_BINARY_DIR}/deb/${library}_library)
  file(WRITE ${folder}/shlibs "lib${library} ${soversion} lib${package}${soversion} (>= ${PROJECT_VERSION})\n")
  file(WRITE ${folder}/triggers "activate-noawait ldconfig\n")
  configure_file(cmake/lib${library}.symbols ${folder}/symbols COPYONLY)
  file(CHMOD ${folder}/shlibs ${folder}/triggers ${folder}/symbols PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
  # Without scripts CPack writes some that call ldconfig.
  foreach(script postinst postrm)
    file(WRITE ${folder}/${script} "#!/bin/sh\nset -e\ntrue # the trigger calls ldconfig\n")
    file(CHMOD ${folder}/${script} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  endforeach()
  set(CPACK_DEBIAN_${key}_LIBRARY_PACKAGE_CONTROL_EXTRA
      "${folder}/shlibs;${folder}/triggers;${folder}/symbols;${folder}/postinst;${folder}/postrm")
  set(CPACK_DEBIAN_${key}_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
endforeach()
# dpkg-shlibdeps finds the libraries that are being packaged beside those that need them.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/lib)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS OFF)
# Debian's Python keeps compiled modules beside the sources: made at installation, so that removal finds all of them.
file(WRITE ${PROJECT_BINARY_DIR}/deb/postinst "#!/bin/sh\nset -e\n[ \"$1\" != configure ] || ! command -v py3compile >/dev/null || py3compile -p python3-texla\n")
file(WRITE ${PROJECT_BINARY_DIR}/deb/prerm "#!/bin/sh\nset -e\n! command -v py3clean >/dev/null || py3clean -p python3-texla\n")
file(CHMOD ${PROJECT_BINARY_DIR}/deb/postinst ${PROJECT_BINARY_DIR}/deb/prerm
     PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA "${PROJECT_BINARY_DIR}/deb/postinst;${PROJECT_BINARY_DIR}/deb/prerm")
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_TEXLA_DEVELOPMENT_PACKAGE_SUGGESTS "libegl-dev, libglew-dev, zlib1g-dev") # the static library
include(CPack)
