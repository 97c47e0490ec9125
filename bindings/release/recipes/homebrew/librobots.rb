class Librobots < Formula
  desc "Robots.txt engine for crawlers: RFC 9309, Google and Koster 1996"
  homepage "https://github.com/librobots/librobots"
  url "@BASE@/librobots-@VERSION@.tar.gz"
  sha256 "@SHA256@"
  license any_of: ["MIT", "Apache-2.0"]
  head "https://github.com/librobots/librobots.git", branch: "main"

  depends_on "cargo-c" => :build
  depends_on "rust" => :build
  depends_on "pkgconf" => :test

  def install
    system "cargo", "cinstall", "--locked", "--release", "--package", "librobots", "--prefix", prefix, "--libdir", lib
    system "cargo", "install", *std_cargo_args(path: "bindings/cli")
    generate_completions_from_executable(bin/"robots", "generate", "completions", shells: [:bash, :zsh, :fish])
    man1.mkpath
    system bin/"robots", "generate", "man", man1
  end

  test do
    (testpath/"robots.txt").write "user-agent: *\ndisallow: /private/\n"
    assert_match "disallowed", shell_output("#{bin}/robots check -a ExampleBot robots.txt /private/diary", 1)
    (testpath/"version.c").write <<~C
      #include <librobots.h>
      int main(void) { return robots_version_number() != ROBOTS_VERSION_NUMBER; }
    C
    flags = shell_output("pkgconf --cflags --libs librobots").chomp.split
    system ENV.cc, "version.c", "-o", "version", *flags
    system "./version"
  end
end
