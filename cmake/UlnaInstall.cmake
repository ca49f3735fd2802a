# cmake --install: library, headers, CMake package, pkg-config file, robots.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ulna)
install(TARGETS ulna EXPORT ulnaTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
foreach(level IN LISTS ULNA_LEVELS)
  install(TARGETS ulna_${level} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/glibc-hwcaps/${level} NAMELINK_SKIP)
endforeach()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ulna DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.hpp")
install(FILES ${PROJECT_BINARY_DIR}/include/ulna/version.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ulna)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/robots DESTINATION ${CMAKE_INSTALL_DATADIR}/ulna)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/doc/ DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md")
install(EXPORT ulnaTargets NAMESPACE ulna:: DESTINATION ${package_dir})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/ulnaConfig.cmake.in
  ${PROJECT_BINARY_DIR}/ulnaConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/ulnaConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/ulnaConfig.cmake ${PROJECT_BINARY_DIR}/ulnaConfigVersion.cmake
        DESTINATION ${package_dir})
# From where the file is, so that the whole can be installed elsewhere than was configured.
file(RELATIVE_PATH ULNA_PREFIX_FROM_PKGCONFIG /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(${CMAKE_CURRENT_LIST_DIR}/ulna.pc.in ${PROJECT_BINARY_DIR}/ulna.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/ulna.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
