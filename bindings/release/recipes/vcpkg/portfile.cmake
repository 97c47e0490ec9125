# The libraries of a release, because vcpkg has no Rust. Its archive for Windows is for MinGW.
vcpkg_check_linkage(ONLY_STATIC_LIBRARY)
if(VCPKG_TARGET_IS_LINUX AND VCPKG_TARGET_ARCHITECTURE STREQUAL "x64")
    set(PLATFORM linux-x86_64)
    set(SHA512 @SHA512_linux-x86_64@)
elseif(VCPKG_TARGET_IS_LINUX)
    set(PLATFORM linux-aarch64)
    set(SHA512 @SHA512_linux-aarch64@)
elseif(VCPKG_TARGET_IS_OSX AND VCPKG_TARGET_ARCHITECTURE STREQUAL "x64")
    set(PLATFORM macos-x86_64)
    set(SHA512 @SHA512_macos-x86_64@)
elseif(VCPKG_TARGET_IS_OSX)
    set(PLATFORM macos-aarch64)
    set(SHA512 @SHA512_macos-aarch64@)
else()
    set(PLATFORM windows-x86_64)
    set(SHA512 @SHA512_windows-x86_64@)
endif()

vcpkg_download_distfile(ARCHIVE
    URLS "@BASE@/librobots-${VERSION}-${PLATFORM}.tar.gz"
    FILENAME "librobots-${VERSION}-${PLATFORM}.tar.gz"
    SHA512 ${SHA512}
)
vcpkg_extract_source_archive(SOURCE ARCHIVE "${ARCHIVE}")
file(GLOB HEADERS "${SOURCE}/include/*")
file(INSTALL ${HEADERS} DESTINATION "${CURRENT_PACKAGES_DIR}/include")
# One library for programs of both kinds, where vcpkg looks for each.
file(INSTALL "${SOURCE}/lib/librobots.a" "${SOURCE}/lib/pkgconfig" DESTINATION "${CURRENT_PACKAGES_DIR}/lib")
if(NOT VCPKG_BUILD_TYPE)
    file(INSTALL "${SOURCE}/lib/librobots.a" "${SOURCE}/lib/pkgconfig" DESTINATION "${CURRENT_PACKAGES_DIR}/debug/lib")
endif()
vcpkg_fixup_pkgconfig()
vcpkg_install_copyright(FILE_LIST "${SOURCE}/share/doc/librobots/LICENSE-MIT" "${SOURCE}/share/doc/librobots/LICENSE-APACHE"
    "${SOURCE}/share/doc/librobots/THIRD-PARTY")
