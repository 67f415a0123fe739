#if canImport(Darwin)
  import Foundation
  import Synchronization

  extension Toolchain {
    /// The deployment target: the oldest system that the manifest names, as for the specs.
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

    /// Options for the compiler's driver when it links an answer: the libraries that the answer
    /// uses are in the program that loads it, which finds the answer by its name.
    package func linkingOptions(for name: String) -> [String] {
      ["-undefined", "dynamic_lookup", "-install_name", "@rpath/\(Self.libraryName(name))"]
        .flatMap { ["-Xlinker", $0] }
    }

    /// Options for the compiler's driver when it links specs; their symbols are visible without
    /// any.
    static let programOptions: [String] = []

    /// How SwiftPM finds the tests of specs.
    static func testDiscovery(
      _ buildSystem: BuildSystem
    ) -> (entryPoint: String?, options: [String]) { indexedDiscovery }

    /// The names of what a build has made of a module's specs, the bundle first.
    func products(of module: Module, _ buildSystem: BuildSystem) -> [String] {
      switch buildSystem {
      case .native: ["\(SpecPackage.name)PackageTests.xctest"]
      case .swiftBuild: ["\(module.rawValue)Tests.xctest"]
      }
    }

    /// Whether specs are a library, which ``hostName`` runs.
    static let needsHost = true

    /// What a host is linked with: the sanitizer is a library of its own.
    static let hostOptions: [String] = []

    /// Starts specs: in a program of our own, which loads the bundle.
    ///
    /// It isn't SwiftPM's program, since that is signed by Apple, and macOS refuses to load a
    /// sanitizer's library into it. Source: `TestRunner` and
    /// `TestingSupport.constructTestEnvironment` in SwiftPM.
    func start(
      _ program: String, in folder: URL, libraries: URL, _ options: [String]
    ) throws -> Command {
      let bundle = folder.appending(path: program)
      let binary = bundle.appending(
        path: "Contents/MacOS/\(bundle.deletingPathExtension().lastPathComponent)"
      ).path
      let arguments =
        ["--test-bundle-path", binary] + options + [binary, "--testing-library", "swift-testing"]
      return Command(
        folder.appending(path: Self.hostName).path, arguments,
        environment: searchPaths(libraries: libraries))
    }

    /// Nil: macOS can't restrict a process to one core.
    package static var pinning: [String]? { nil }

    /// Nil: Dispatch's threads have no more than 512 KB of stack here in any case.
    package static var smallStacks: [String]? { nil }

    /// Whether the loader says that a library lacks a symbol: by itself, or through the host, which
    /// opens the bundle and prints `dlerror`.
    static func isLoadersRefusal(_ output: String) -> Bool {
      output.lowercased().contains("symbol not found")
        && (output.contains("dyld[") || output.contains("dlopen("))
    }

    /// The path of a program that comes with the toolchain: Xcode doesn't put all of them on the PATH.
    package static func located(_ tool: String) -> String? {
      find(tool) ?? found(by: ["--find", tool])
    }

    /// The source locations of these addresses in a library; nil for each that isn't known.
    ///
    /// The line tables are in the object that the library was linked from.
    func sources(of addresses: [UInt], in library: URL) -> [SourcePlace?]? {
      let options =
        ["-o", library.path, "-fullPath", "-offset"]
        + addresses.map { "0x\(String($0, radix: 16))" }
      guard let atos = Self.located("atos"),
        let (ending, output) = try? Command(atos, options).run(
          in: library.deletingLastPathComponent()),
        ending == .exited(0)
      else { return nil }
      // "BoundedBuffer.put(_:) (in libGroupsSemaphoresKatas.dylib) (/…/BoundedBuffer.swift:31)"
      return output.split(separator: "\n").map { line in
        guard let match = line.firstMatch(of: #/^(.*) \(in .*\) \((\/.*):(\d+)\)$/#),
          let number = Int(match.3)
        else { return nil }
        return SourcePlace(function: String(match.1), file: String(match.2), line: number)
      }
    }

    /// A known reason why specs can't be built on this Mac, as a sentence with the remedy.
    ///
    /// From Swift 6.4 on, SwiftPM finds the Command Line Tools' Swift Testing.
    static var obstacle: String? {
      guard let swift = find("swift"), developerFolder?.hasSuffix("/CommandLineTools") == true,
        URL(filePath: swift).path.hasPrefix("/usr/bin/"), version(of: swift) ?? (0, 0) < (6, 4)
      else { return nil }
      return """
        With the Command Line Tools alone SwiftPM doesn't find Swift Testing; install Xcode 26.4 or \
        newer and run 'sudo xcode-select -s /Applications/Xcode.app', or take a toolchain from swift.org.
        """
    }

    /// The programs and frameworks that will be used, in sentences for 'make doctor'.
    var origins: [String] {
      let environment = ProcessInfo.processInfo.environment
      let chosen = ["DEVELOPER_DIR", "TOOLCHAINS", "SDKROOT"].compactMap { name in
        environment[name].map { "\(name) is '\($0)'." }
      }
      let frameworks =
        frameworkFolders.isEmpty ? "none were found" : frameworkFolders.joined(separator: ", ")
      return [
        "'\(swift)' stands for the toolchain in \(root.path).",
        "Frameworks for tests: \(frameworks).",
        "The developer folder is \(Self.developerFolder ?? "unknown").",
        """
        The first start of each newly built program takes longer, since macOS scans it; you can exempt \
        your terminal under Privacy & Security, Developer Tools.
        """,
      ] + chosen
    }

    /// The folder of Xcode or the Command Line Tools, according to `xcode-select`.
    private static var developerFolder: String? {
      guard let select = find("xcode-select"),
        let (_, folder) = try? Command(select, ["-p"]).run(in: URL(filePath: "/"))
      else { return nil }
      return folder.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    // MARK: - What is asked once

    /// The output of the toolchain's programs, by arguments and selected toolchain.
    ///
    /// Every process of a spec needs it, and asking takes longer than starting one.
    private static let answers = Mutex<[[String]: String]>([:])

    /// The last line that `xcrun` prints; nil if there is no `xcrun` or it finds nothing.
    private static func found(by arguments: [String]) -> String? {
      let key = arguments + [FileStamp("/var/db/xcode_select_link").map { "\($0)" } ?? ""]
      if let known = answers.withLock({ $0[key] }) { return known }
      guard let xcrun = find("xcrun"),
        let (ending, output) = try? Command(xcrun, arguments).run(in: URL(filePath: "/")),
        ending == .exited(0), let line = output.split(separator: "\n").last.map(String.init)
      else { return nil }
      answers.withLock { $0[key] = line }
      return line
    }

    // MARK: - Where the loader searches

    /// The folder of the toolchain that `swift` runs, also if `swift` is a proxy of swiftly or
    /// Xcode.
    private var root: URL {
      let key = ["-print-target-info", identity]
      let known = Self.answers.withLock { $0[key] }
      let resources = known ?? (try? runtimeFolders())?.first ?? "/usr/lib/swift"
      Self.answers.withLock { $0[key] = resources }
      return URL(filePath: resources).deletingLastPathComponent().deletingLastPathComponent()
    }

    private var platform: String? {
      Self.found(by: ["--sdk", "macosx", "--show-sdk-platform-path"])
    }

    /// The folders of the frameworks of Swift Testing and what it needs.
    private var frameworkFolders: [String] {
      let ofPlatform = ["Frameworks", "PrivateFrameworks"].compactMap { name in
        platform.map { "\($0)/Developer/Library/\(name)" }
      }
      let ofCommandLineTools = root.deletingLastPathComponent()
        .appending(path: "Library/Developer/Frameworks").path
      return ([ofCommandLineTools] + ofPlatform).filter {
        FileManager.default.fileExists(atPath: $0)
      }
    }

    /// Where the loader searches for the answer and for Swift Testing.
    ///
    /// The toolchain's own comes first, if it has one, as those from swift.org have.
    ///
    /// Source: `UserToolchain.deriveSwiftTestingPath` and `SwiftSDK.sdkPlatformPaths` in SwiftPM.
    private func searchPaths(libraries: URL) -> [String: String] {
      let inherited = ProcessInfo.processInfo.environment
      let folders: [String?] = [
        libraries.path, root.appending(path: "lib/swift/macosx/testing").path,
        root.deletingLastPathComponent().appending(path: "Library/Developer/usr/lib").path,
        platform.map { "\($0)/Developer/usr/lib" }, inherited["DYLD_LIBRARY_PATH"],
      ]
      let frameworks = frameworkFolders + [inherited["DYLD_FRAMEWORK_PATH"]].compactMap { $0 }
      return [
        "DYLD_LIBRARY_PATH": folders.compactMap { $0 }.joined(separator: ":"),
        "DYLD_FRAMEWORK_PATH": frameworks.joined(separator: ":"),
      ]
    }
  }
#endif
