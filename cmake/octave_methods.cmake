# Writes the toolbox's m-files to TARGET: those of SOURCE/inst, and the methods and functions of SOURCE/methods.txt. With PACKAGE, also
# what pkg install needs.
file(COPY ${SOURCE}/inst/ DESTINATION ${TARGET})
file(STRINGS ${SOURCE}/methods.txt lines REGEX "^[a-z]")
foreach(line IN LISTS lines)
  string(REGEX MATCH "^([a-z]+) +([a-zA-Z0-9_]+) +([^ ]+) +([^|]*[^| ]) *\\| *(.*)$" found "${line}")
  set(kind ${CMAKE_MATCH_1})
  set(name ${CMAKE_MATCH_2})
  set(operands ${CMAKE_MATCH_3})
  set(operation "${CMAKE_MATCH_4}")
  set(help "${CMAKE_MATCH_5}")
  set(example "")
  if(help MATCHES "^(.*) \\| (${name} .*)$")
    set(help "${CMAKE_MATCH_1}")
    set(example "${CMAKE_MATCH_2}")
  endif()
  string(REPLACE "," ", " operands "${operands}")
  if(kind STREQUAL "missing")
    set(text "function varargout = ${name} (varargin)
% ${name}  Not available for gpuMatrix.
  error ('texla:unsupported', '${name}: not available for gpuMatrix, use ${name} (double (A))')
end
%!error <use ${name}> ${name} (gpuMatrix (1))
")
  elseif(kind STREQUAL "host")
    if(NOT example)
      set(example "${name} (gpuMatrix ([1 2; 3 4]))")
    endif()
    set(text "function varargout = ${name} (varargin)
% ${name}  ${help}.
%
%   ${example}
  for k = 1:nargin
    if isa (varargin{k}, 'gpuMatrix')
      varargin{k} = gather (varargin{k});
    end
  end
  [varargout{1:nargout}] = ${name} (varargin{:});
end
")
  else()
    set(class single)
    if(kind STREQUAL "test")
      set(class logical)
    endif()
    set(moved "") # into where the function is real
    if(name STREQUAL acosh)
      set(moved " + 1")
    endif()
    set(plain "x")
    set(ours "gpuMatrix (x)")
    if(operands MATCHES ",")
      set(plain "x, x'")
      set(ours "gpuMatrix (x), x'")
    endif()
    if(NOT example)
      string(REPLACE "(x)" "([0.25 0.5]${moved})" example "${name} (${ours})")
      string(REPLACE "x'" "[2; 3]" example "${example}")
    endif()
    set(text "function C = ${name} (${operands})
% ${name}  ${help}
%
%   C = ${example}
%
% Returns at once; double (C) waits for the result.
  C = gpuCall ('${operation}', {${operands}}, '${class}');
end
%!test
%! x = single ([0.25 0.5; 0.75 0.875])${moved};
%! assert (double (${name} (${ours})), double (${name} (${plain})), 1e-5);
")
  endif()
  file(WRITE ${TARGET}/@gpuMatrix/${name}.m "${text}")
endforeach()
if(PACKAGE)
  file(COPY ${SOURCE}/texla_mex.c DESTINATION ${PACKAGE}/src)
  file(COPY ${SOURCE}/Makefile DESTINATION ${PACKAGE}/src)
  configure_file(${SOURCE}/DESCRIPTION.in ${PACKAGE}/DESCRIPTION @ONLY)
  configure_file(${LICENSE} ${PACKAGE}/COPYING COPYONLY)
  file(GLOB methods RELATIVE ${TARGET} ${TARGET}/@gpuMatrix/*.m)
  file(GLOB functions RELATIVE ${TARGET} ${TARGET}/*.m)
  list(TRANSFORM functions REPLACE "\\.m$" "")
  list(TRANSFORM methods REPLACE "\\.m$" "")
  list(JOIN functions "\n " functions)
  list(JOIN methods "\n " methods)
  file(WRITE ${PACKAGE}/INDEX "texla >> Linear algebra in OpenGL\nFunctions\n ${functions}\nMethods of gpuMatrix\n ${methods}\n")
endif()
