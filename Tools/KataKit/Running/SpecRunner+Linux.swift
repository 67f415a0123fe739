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

    /// Gives the program that was built a second name, which the next build doesn't replace.
    ///
    /// - Returns: The name's path in the house; the caller removes it.
    static func nameProgram(of build: SwiftBuild.Request, in house: House) throws -> String? {
      let name = "\(build.scratch)/programs/\(getpid())-\(UUID().uuidString).xctest"
      let url = house.url(name)
      do {
        try FileManager.default.createDirectory(
          at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        removeNamesOfTheDead(in: url.deletingLastPathComponent())
        let built = house.url(program(of: build))
        if (try? FileManager.default.linkItem(at: built, to: url)) == nil {
          // Not every file system can.
          try FileManager.default.copyItem(at: built, to: url)
        }
      } catch {
        throw KataError.cannotWrite(name, error)
      }
      return name
    }

    /// Removes what runners that were killed have left.
    private static func removeNamesOfTheDead(in folder: URL) {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      for name in names {
        guard let runner = name.split(separator: "-").first.flatMap({ Int32($0) }),
          kill(runner, 0) != 0, errno == ESRCH
        else { continue }
        try? FileManager.default.removeItem(at: folder.appending(path: name))
      }
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
