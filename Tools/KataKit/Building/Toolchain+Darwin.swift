#if canImport(Darwin)
  import Foundation

  extension Toolchain {
    /// What the compiler builds for: the oldest system that the manifest names, as for the specs.
    package static var targetOptions: [String] {
      #if arch(arm64)
        let architecture = "arm64"
      #else
        let architecture = "x86_64"
      #endif
      return ["-target", "\(architecture)-apple-macosx15.0"]
    }

    /// The file name of a library.
    package static func libraryName(_ module: String) -> String { "lib\(module).dylib" }

    /// What the compiler's driver is told when it links an answer: what the answer builds on is in the
    /// program that loads it, which finds the answer by its name.
    package func linkingOptions(for name: String) -> [String] {
      ["-undefined", "dynamic_lookup", "-install_name", "@rpath/\(Self.libraryName(name))"]
        .flatMap { ["-Xlinker", $0] }
    }

    /// The names of what a build has made of a module's specs, the bundle first.
    func products(of module: Module, _ buildSystem: BuildSystem) -> [String] {
      switch buildSystem {
      case .native: ["ConcurrencyKatasPackageTests.xctest"]
      case .swiftBuild: ["\(module.rawValue)Tests.xctest"]
      }
    }

    /// How specs are started: by SwiftPM's helper, which loads the bundle that it's told.
    ///
    /// Source: `TestRunner` and `TestingSupport.constructTestEnvironment` in SwiftPM.
    func start(
      _ program: String, in folder: URL, libraries: URL, sanitized: Bool, _ options: [String]
    ) throws -> Command {
      let bundle = folder.appending(path: program)
      let binary = bundle.appending(
        path: "Contents/MacOS/\(bundle.deletingPathExtension().lastPathComponent)"
      ).path
      let arguments =
        ["--test-bundle-path", binary] + options + [binary, "--testing-library", "swift-testing"]
      return Command(
        try helper(), arguments,
        environment: try searchPaths(libraries: libraries, sanitized: sanitized))
    }

    /// There is no way here to hold a process to one core.
    package static var pinning: [String]? { nil }

    /// Threads of Dispatch's have no more than 512 KB of stack here in any case.
    package static var smallStacks: [String]? { nil }

    /// Whether the loader says that a library lacks something: by itself, or by SwiftPM's helper, which
    /// opens the bundle and prints what `dlerror` says.
    static func isLoadersRefusal(_ output: String) -> Bool {
      output.contains("Symbol not found:")
        && (output.contains("dyld[") || output.contains("dlopen("))
    }

    /// The path of a program that comes with the toolchain: Xcode doesn't put all of them on the PATH.
    package static func located(_ tool: String) -> String? {
      find(tool) ?? ((try? found(by: ["--find", tool])) ?? nil)
    }

    /// What is known to keep specs from being built on a Mac, as a sentence with the cure.
    static var obstacle: String? {
      guard let swift = find("swift"), swift.hasPrefix("/usr/bin/"),
        let select = find("xcode-select"),
        let (_, folder) = try? Command(select, ["-p"]).run(in: URL(filePath: "/")),
        folder.trimmingCharacters(in: .whitespacesAndNewlines).hasSuffix("/CommandLineTools")
      else { return nil }
      return """
        With the Command Line Tools alone SwiftPM doesn't find Swift Testing; install Xcode 26.4 or \
        newer and run 'sudo xcode-select -s /Applications/Xcode.app', or take a toolchain from swift.org.
        """
    }

    /// What `xcrun` prints last; nil where there is no `xcrun` or it finds nothing.
    private static func found(by arguments: [String]) throws -> String? {
      guard let xcrun = find("xcrun") else { return nil }
      let (ending, output) = try Command(xcrun, arguments).run(in: URL(filePath: "/"))
      guard ending == .exited(0) else { return nil }
      return output.split(separator: "\n").last.map(String.init)
    }

    private func helper() throws -> String {
      let swift = try Self.found(by: ["--find", "swift"]) ?? self.swift
      let path = URL(filePath: swift).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "libexec/swift/pm/swiftpm-testing-helper").path
      guard FileManager.default.isExecutableFile(atPath: path) else {
        throw KataError(
          "'\(path)' isn't there, which starts tests; install Xcode or a toolchain from swift.org.",
          .environment)
      }
      return path
    }

    /// Where the loader looks for the answer and for Swift Testing.
    private func searchPaths(libraries: URL, sanitized: Bool) throws -> [String: String] {
      let inherited = ProcessInfo.processInfo.environment
      var folders = [libraries.path]
      var frameworks: [String] = []
      if let platform = try Self.found(by: ["--sdk", "macosx", "--show-sdk-platform-path"]) {
        frameworks.append("\(platform)/Developer/Library/Frameworks")
        folders.append("\(platform)/Developer/usr/lib")
      }
      folders += [inherited["DYLD_LIBRARY_PATH"]].compactMap { $0 }
      frameworks += [inherited["DYLD_FRAMEWORK_PATH"]].compactMap { $0 }
      var environment = [
        "DYLD_LIBRARY_PATH": folders.joined(separator: ":"),
        "DYLD_FRAMEWORK_PATH": frameworks.joined(separator: ":"),
      ]
      if sanitized, let swift = try Self.found(by: ["--find", "swift"]) {
        let runtime = URL(filePath: swift).resolvingSymlinksInPath()
          .deletingLastPathComponent().deletingLastPathComponent()
          .appending(path: "lib/swift/clang/lib/darwin/libclang_rt.tsan_osx_dynamic.dylib").path
        environment["DYLD_INSERT_LIBRARIES"] = runtime
      }
      return environment
    }
  }
#endif
