#if canImport(Glibc) || canImport(Musl)
  import Foundation

  extension SpecRunner {
    /// The test binary itself, which is a program on Linux.
    func command(_ options: [String]) throws -> (executable: String, arguments: [String]) {
      let binary = house.url(program ?? Self.program(of: build)).path
      let arguments = ["--testing-library", "swift-testing"] + options
      guard isPinned, let taskset = Toolchain.find("taskset") else { return (binary, arguments) }
      return (taskset, ["-c", "0", binary] + arguments)
    }

    private static func program(of build: SwiftBuild.Request) -> String {
      "\(build.scratch)/debug/ConcurrencyKatasPackageTests.xctest"
    }

    /// Copies the program that was built, so that the next build doesn't replace it.
    ///
    /// There are two places, used in turn.
    ///
    /// - Returns: The copy's path in the house; nil where there can't be one.
    static func keepProgram(
      of build: SwiftBuild.Request, number: Int, in house: House
    ) throws -> String? {
      let copy = "\(build.scratch)/programs/\(number % 2).xctest"
      let url = house.url(copy)
      do {
        try FileManager.default.createDirectory(
          at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try? FileManager.default.removeItem(at: url)
        try FileManager.default.copyItem(at: house.url(program(of: build)), to: url)
      } catch {
        throw KataError.cannotWrite(url.path, error)
      }
      return copy
    }
  }
#endif
