# SPDX-License-Identifier: Apache-2.0
include(CMakePackageConfigHelpers)

install(TARGETS mbn EXPORT mbn-targets)
install(DIRECTORY include/mbn TYPE INCLUDE)
if(MBN_BUILD_TOOL)
  install(TARGETS mbn-tool)
endif()
install(EXPORT mbn-targets NAMESPACE mbn:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/mbn)
configure_package_config_file(cmake/mbn-config.cmake.in mbn-config.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/mbn)
write_basic_package_version_file(mbn-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/mbn-config.cmake ${PROJECT_BINARY_DIR}/mbn-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/mbn)
