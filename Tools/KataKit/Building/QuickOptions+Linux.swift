#if canImport(Glibc) || canImport(Musl)
  import Foundation

  extension SwiftBuild.Request {
    /// What takes time out of every build, and nothing out of a verdict.
    ///
    /// SwiftPM needs the index of our own modules, in which it looks for tests; that of the system's
    /// modules is a third of a first build and of no use to anybody. Nobody debugs what a runner
    /// builds, and only Thread Sanitizer's reports name lines by what is kept for a debugger.
    var quickOptions: [String] {
      let ignored = ["-index-ignore-system-modules", "-index-ignore-clang-modules"]
      return ignored.flatMap { ["-Xswiftc", $0] }
        + (Toolchain.hasLLD ? ["-Xswiftc", "-use-ld=lld"] : [])
        + (sanitized ? [] : ["-debug-info-format", "none"])
    }
  }

  extension Toolchain {
    /// Whether LLVM's linker is there; it takes half the time of the one that is used otherwise.
    static let hasLLD: Bool = {
      guard let swift = find("swift") else { return false }
      let folder = URL(filePath: swift).resolvingSymlinksInPath().deletingLastPathComponent()
      let linker = folder.appending(path: "ld.lld").path
      return FileManager.default.isExecutableFile(atPath: linker) || find("ld.lld") != nil
    }()
  }
#endif
