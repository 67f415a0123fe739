import Foundation
import KataTesting
import Testing

@testable import KataKit

extension UnbuiltCloneTests {
  /// The program that runs specs which were built as a library, as on a Mac, tried with libraries of a few lines.
  @Suite struct HostTests {
    private typealias Output = (ending: ChildProcess.Ending, text: String)

    /// Compiles the host and a library from `source`, and runs the library.
    private func run(_ source: String, sanitized: Bool = false) throws -> Output {
      let folder = FileManager.default.temporaryDirectory
        .appending(path: "katas-host-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let repository = Repository(root: Clone.source)
      let toolchain = try Toolchain(for: repository)
      try toolchain.makeHost(
        from: repository.url(Toolchain.hostSource), sanitized: sanitized, in: folder)
      let (file, library) = (folder.appending(path: "Specs.swift"), folder.appending(path: "Specs"))
      try Data(source.utf8).write(to: file)
      let compiled = try Command(
        toolchain.swift + "c",
        [
          "-parse-as-library", "-swift-version", "5", "-emit-library", file.path, "-o",
          library.path,
        ]
          + Toolchain.targetOptions + (sanitized ? ["-sanitize=thread", "-g"] : [])
      ).run(in: folder)
      try #require(compiled.ending == .exited(0), "\(compiled.output)")
      let host = folder.appending(path: Toolchain.hostName).path
      let result = try Command(
        host, ["--test-bundle-path", library.path, "--filter", "a b"],
        environment: ["TSAN_OPTIONS": "exitcode=66 atexit_sleep_ms=0"]
      ).run(in: folder)
      return (result.ending, result.output)
    }

    @Test func `a library's main is called, with the host's arguments, and its code is the host's`()
      throws
    {
      let output = try run(
        """
        @_cdecl("main") public func specs(
          _ count: Int32, _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
        ) -> Int32 {
          print("\\(count):", CommandLine.arguments.dropFirst(3).joined(separator: "|"))
          return 7
        }
        """)
      #expect(output.ending == .exited(7))
      #expect(output.text == "5: --filter|a b\n")
    }

    @Test func `where there is no main, it says so`() throws {
      let output = try run("public func specs() {}")
      #expect(output.ending == .exited(70))
      #expect(output.text.hasPrefix("KataHost: ") && output.text.hasSuffix("has no 'main'.\n"))
    }

    @Test func `with Thread Sanitizer a race in the library is reported`() throws {
      let output = try run(
        """
        import Foundation
        final class Visitors: @unchecked Sendable { var count = 0 }
        @_cdecl("main") public func specs(
          _ count: Int32, _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
        ) -> Int32 {
          let visitors = Visitors()
          let both = DispatchGroup()
          for _ in 0..<2 {
            both.enter()
            Thread.detachNewThread {
              for _ in 0..<1_000 { visitors.count += 1; usleep(100) }
              both.leave()
            }
          }
          both.wait()
          return 0
        }
        """, sanitized: true)
      #expect(output.ending == .exited(66), "\(output.text)")
      #expect(!RaceReport.parse(output.text).isEmpty)
    }
  }
}
