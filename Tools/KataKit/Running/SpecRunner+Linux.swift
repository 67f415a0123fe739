#if canImport(Glibc) || canImport(Musl)
  import Foundation

  extension SpecRunner {
    /// The test binary itself, which is a program on Linux.
    func command(_ options: [String]) throws -> (executable: String, arguments: [String]) {
      let binary = house.url("\(build.scratch)/debug/ConcurrencyKatasPackageTests.xctest").path
      let arguments = ["--testing-library", "swift-testing"] + options
      guard isPinned, let taskset = Toolchain.find("taskset") else { return (binary, arguments) }
      return (taskset, ["-c", "0", binary] + arguments)
    }
  }
#endif
