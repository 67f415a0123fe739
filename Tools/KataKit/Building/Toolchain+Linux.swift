#if canImport(Glibc) || canImport(Musl)
  import Foundation

  extension Toolchain {
    /// The deployment target: this machine, which is the default.
    package static var targetOptions: [String] { [] }

    /// The file name of a library.
    package static func libraryName(_ module: String) -> String { "lib\(module).so" }

    /// Options for the compiler's driver when it links an answer: the libraries that the answer
    /// uses are in the program that loads it, and missing symbols are found at once.
    package func linkingOptions(for name: String) -> [String] {
      let options = ["-Xlinker", "-z", "-Xlinker", "now"]
      let folder = URL(filePath: swift).resolvingSymlinksInPath().deletingLastPathComponent()
      let hasLLD = FileManager.default.isExecutableFile(
        atPath: folder.appending(path: "ld.lld").path)
      return options + (hasLLD ? ["-use-ld=lld"] : [])
    }

    /// Options for the compiler's driver when it links specs, in which an answer finds the
    /// libraries that it uses.
    static let programOptions = ["--export-dynamic", "-z", "now"].flatMap { ["-Xlinker", $0] }

    /// The names of what a build has made of a module's specs, the program first.
    func products(of module: Module, _ buildSystem: BuildSystem) -> [String] {
      switch buildSystem {
      case .native: ["\(SpecPackage.name)PackageTests.xctest"]
      case .swiftBuild:
        ["\(module.rawValue)Tests-test-runner", "\(module.rawValue)Tests.so"]
      }
    }

    /// How SwiftPM finds the tests of specs: its own build system by a `main`, which finds no
    /// XCTest cases and so needs no index.
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

    /// Whether specs are a library: here they are a program, with either build system.
    static let needsHost = false

    /// Linker options for a host: the library finds the sanitizer's functions in it.
    static let hostOptions = ["-Xlinker", "--export-dynamic"]

    /// Starts the specs in `folder`, with a folder of libraries that is searched before all others.
    func start(
      _ program: String, in folder: URL, libraries: URL, _ options: [String]
    ) throws -> Command {
      let inherited = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"].map { ":\($0)" } ?? ""
      return Command(
        folder.appending(path: program).path, ["--testing-library", "swift-testing"] + options,
        environment: ["LD_LIBRARY_PATH": libraries.path + inherited])
    }

    /// The words before a program's own that restrict it to one core; nil if there is no `taskset`.
    package static var pinning: [String]? { find("taskset").map { [$0, "-c", "0"] } }

    /// The words before a program's own that give its threads 512 KB of stack.
    package static var smallStacks: [String]? {
      ["/bin/sh", "-c", "ulimit -s 512 && exec \"$0\" \"$@\""]
    }

    /// The path of a program that comes with the toolchain.
    package static func located(_ tool: String) -> String? { find(tool) }

    /// The source locations of these addresses in a library; nil for each that isn't known.
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

    /// A known reason why specs can't be built here, as a sentence with the remedy.
    static var obstacle: String? { nil }

    /// The programs and libraries that will be used, in sentences for 'make doctor'.
    var origins: [String] {
      let libraries = (try? runtimeFolders())?.first ?? "nowhere"
      return ["'\(swift)'; Swift's libraries are in \(libraries)."]
    }

    /// Whether the loader says that a library lacks a symbol.
    static func isLoadersRefusal(_ output: String) -> Bool {
      output.contains("symbol lookup error") || output.contains("Error relocating")
    }
  }
#endif
