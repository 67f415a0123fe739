#if canImport(Glibc) || canImport(Musl)
  import Foundation

  extension Toolchain {
    /// What the compiler builds for: this machine, as it does by itself.
    package static var targetOptions: [String] { [] }

    /// The file name of a library.
    package static func libraryName(_ module: String) -> String { "lib\(module).so" }

    /// What the compiler's driver is told when it links an answer: what the answer builds on is in the
    /// program that loads it, and whether it is all there is seen at once.
    package func linkingOptions(for name: String) -> [String] {
      let options = ["-Xlinker", "-z", "-Xlinker", "now"]
      let folder = URL(filePath: swift).resolvingSymlinksInPath().deletingLastPathComponent()
      let hasLLD = FileManager.default.isExecutableFile(
        atPath: folder.appending(path: "ld.lld").path)
      return options + (hasLLD ? ["-use-ld=lld"] : [])
    }

    /// What the compiler's driver is told when it links specs, which an answer finds what it builds on in.
    static let programOptions = ["--export-dynamic", "-z", "now"].flatMap { ["-Xlinker", $0] }

    /// The names of what a build has made of a module's specs, the program first.
    func products(of module: Module, _ buildSystem: BuildSystem) -> [String] {
      switch buildSystem {
      case .native: ["\(SpecPackage.name)PackageTests.xctest"]
      case .swiftBuild:
        ["\(module.rawValue)Tests-test-runner", "\(module.rawValue)Tests.so"]
      }
    }

    /// How SwiftPM finds the tests of specs: its own build system by a `main`, which looks for none of XCTest's and so
    /// needs no index.
    static func testDiscovery(
      _ buildSystem: BuildSystem
    ) -> (entryPoint: String?, options: [String]) {
      guard buildSystem == .native else { return indexedDiscovery }
      let entryPoint = """
        import Testing

        @main struct Specs {
          static func main() async { await Testing.__swiftPMEntryPoint() as Never }
        }

        """
      return (entryPoint, ["--disable-index-store"])
    }

    /// Specs are a program, with either build system.
    static let needsHost = false

    /// What a host is linked with: the library finds the sanitizer's functions in it.
    static let hostOptions = ["-Xlinker", "--export-dynamic"]

    /// How specs are started that lie in `folder`, with a folder of libraries that comes before all
    /// others.
    func start(
      _ program: String, in folder: URL, libraries: URL, _ options: [String]
    ) throws -> Command {
      let inherited = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"].map { ":\($0)" } ?? ""
      return Command(
        folder.appending(path: program).path, ["--testing-library", "swift-testing"] + options,
        environment: ["LD_LIBRARY_PATH": libraries.path + inherited])
    }

    /// The words before a program's own that hold it to one core; nil where there is no `taskset`.
    package static var pinning: [String]? { find("taskset").map { [$0, "-c", "0"] } }

    /// The words before a program's own that give its threads 512 KB of stack.
    package static var smallStacks: [String]? {
      ["/bin/sh", "-c", "ulimit -s 512 && exec \"$0\" \"$@\""]
    }

    /// The path of a program that comes with the toolchain.
    package static func located(_ tool: String) -> String? { find(tool) }

    /// Where the code comes from that lies at these addresses in a library; nil for what isn't known.
    func sources(of addresses: [UInt], in library: URL) -> [SourcePlace?]? {
      let own = URL(filePath: swift).resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "llvm-symbolizer").path
      let program =
        FileManager.default.isExecutableFile(atPath: own) ? own : Self.find("llvm-symbolizer")
      let options =
        ["--output-style=JSON", "--no-inlines", "--obj=\(library.path)"]
        + addresses.map { "0x\(String($0, radix: 16))" }
      guard let program,
        let (ending, output) = try? Command(program, options).run(
          in: library.deletingLastPathComponent()),
        ending == .exited(0)
      else { return nil }
      struct Answer: Decodable {
        struct Symbol: Decodable {
          let FileName: String
          let FunctionName: String
          let Line: Int
        }
        let Symbol: [Symbol]
      }
      return output.split(separator: "\n").flatMap { line -> [SourcePlace?] in
        let text = line.hasPrefix("[") ? String(line) : "[\(line)]"
        let answers = (try? JSONDecoder().decode([Answer].self, from: Data(text.utf8))) ?? []
        return answers.map { answer in
          answer.Symbol.first.map {
            SourcePlace(function: $0.FunctionName, file: $0.FileName, line: $0.Line)
          }
        }
      }
    }

    /// What is known to keep specs from being built here, as a sentence with the cure.
    static var obstacle: String? { nil }

    /// Which programs and libraries will be used, in sentences for 'make doctor'.
    var origins: [String] {
      let libraries = (try? runtimeFolders())?.first ?? "nowhere"
      return ["'\(swift)'; Swift's libraries are in \(libraries)."]
    }

    /// Whether the loader says that a library lacks something.
    static func isLoadersRefusal(_ output: String) -> Bool {
      output.contains("symbol lookup error") || output.contains("Error relocating")
    }
  }
#endif
