# SPDX-License-Identifier: Apache-2.0
# Libraries that read some kinds of files. A build without one says so when it meets such a file.
set(MBN_OPTIONAL_MODULES "")

# mbn_find_reader(<option's value> <MODULE of pkg-config> <definition> <source> ...): the definition is for these
# sources only, so that all others are compiled the same way in every build.
function(mbn_find_reader wanted module definition)
  string(TOUPPER ${module} prefix)
  if(wanted STREQUAL "AUTO")
    pkg_check_modules(${prefix} QUIET IMPORTED_TARGET GLOBAL ${module})
  elseif(wanted)
    pkg_check_modules(${prefix} REQUIRED IMPORTED_TARGET GLOBAL ${module})
  endif()
  if(wanted AND ${prefix}_FOUND)
    set(MBN_OPTIONAL_MODULES ${MBN_OPTIONAL_MODULES} ${module} PARENT_SCOPE)
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_DEFINITIONS ${definition})
  endif()
endfunction()

mbn_find_reader("${MBN_HDF5}" hdf5 MBN_HAS_HDF5 src/input/hdf5.cpp src/input/hdf5_file.cpp)
mbn_find_reader("${MBN_PICTURES}" libpng MBN_HAS_PNG src/input/decode_png.cpp)
mbn_find_reader("${MBN_PICTURES}" libjpeg MBN_HAS_JPEG src/input/decode_jpeg.cpp)
mbn_find_reader("${MBN_PICTURES}" libwebp MBN_HAS_WEBP src/input/decode_webp.cpp)

function(mbn_use_optional_readers target)
  foreach(module IN LISTS MBN_OPTIONAL_MODULES)
    string(TOUPPER ${module} prefix)
    target_link_libraries(${target} PRIVATE PkgConfig::${prefix})
  endforeach()
endfunction()
