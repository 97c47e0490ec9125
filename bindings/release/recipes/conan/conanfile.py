import os

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.files import copy, get


class Librobots(ConanFile):
    name = "librobots"
    description = "A robots.txt engine for crawlers: RFC 9309, Google and Koster 1996"
    license = "MIT OR Apache-2.0"
    url = "https://github.com/conan-io/conan-center-index"
    homepage = "https://github.com/librobots/librobots"
    topics = ("robots-txt", "crawler", "rfc9309", "pre-built")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False]}
    default_options = {"shared": False}

    def package_id(self):
        # The libraries are C, and the same for every compiler.
        del self.info.settings.compiler
        del self.info.settings.build_type

    def validate(self):
        if not self._archive():
            raise ConanInvalidConfiguration(f"no archive of librobots for {self.settings.os} {self.settings.arch}")
        if self.settings.os == "Windows" and self.settings.compiler == "msvc":
            raise ConanInvalidConfiguration("the archive for Windows is for MinGW")

    def _archive(self):
        return self.conan_data["sources"][self.version].get(str(self.settings.os), {}).get(str(self.settings.arch))

    def build(self):
        get(self, **self._archive(), strip_root=True)

    def package(self):
        copy(self, "*", os.path.join(self.build_folder, "include"), os.path.join(self.package_folder, "include"))
        libraries = ["*.so*", "*.dylib", "*.dll.a"] if self.options.shared else ["librobots.a"]
        for pattern in libraries:
            copy(self, pattern, os.path.join(self.build_folder, "lib"), os.path.join(self.package_folder, "lib"))
        if self.options.shared:
            copy(self, "*.dll", os.path.join(self.build_folder, "bin"), os.path.join(self.package_folder, "bin"))
        for pattern in ("LICENSE-*", "THIRD-PARTY"):
            copy(self, pattern, os.path.join(self.build_folder, "share", "doc", "librobots"), os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        self.cpp_info.libs = ["robots"]
        self.cpp_info.set_property("cmake_file_name", "librobots")
        self.cpp_info.set_property("cmake_target_name", "librobots::shared" if self.options.shared else "librobots::static")
        self.cpp_info.set_property("pkg_config_name", "librobots")
        if not self.options.shared:
            self.cpp_info.system_libs = {
                "Linux": ["util", "rt", "pthread", "m", "dl"],
                "Macos": ["iconv", "m"],
                "Windows": ["kernel32", "ntdll", "userenv", "ws2_32", "dbghelp"],
            }[str(self.settings.os)]
