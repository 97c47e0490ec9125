{
  description = "A robots.txt engine for crawlers: RFC 9309, Google and Koster 1996";

  inputs = {
    nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";
    librobots = {
      url = "@BASE@/librobots-@VERSION@.tar.gz";
      flake = false;
    };
  };

  outputs =
    { self, nixpkgs, librobots }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" ];
      each = make: nixpkgs.lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});
    in
    {
      packages = each (pkgs: {
        default = pkgs.rustPlatform.buildRustPackage {
          pname = "librobots";
          version = "@VERSION@";
          src = librobots;
          cargoLock.lockFile = "${librobots}/Cargo.lock";
          postPatch = "patchShebangs bindings";
          buildPhase = ''
            runHook preBuild
            make c-library cli
            runHook postBuild
          '';
          checkPhase = ''
            runHook preCheck
            cargo test --offline --lib
            cargo test --offline --test engine cases::
            runHook postCheck
          '';
          installPhase = ''
            runHook preInstall
            make install PREFIX=$out
            runHook postInstall
          '';
          meta = {
            homepage = "https://github.com/librobots/librobots";
            license = with pkgs.lib.licenses; [ mit asl20 ];
            mainProgram = "robots";
            platforms = systems;
          };
        };
      });
      checks = each (pkgs: {
        default = pkgs.runCommand "librobots-version" { } ''
          ${self.packages.${pkgs.stdenv.hostPlatform.system}.default}/bin/robots --version | grep -x "robots @VERSION@" >$out
        '';
      });
    };
}
