#if canImport(Darwin)
  extension SpecRunner {
    /// SwiftPM, which knows how to load the test bundle that was built before.
    ///
    /// There is no way here to hold a process to one core, so `isPinned` has no effect.
    func command(_ options: [String]) throws -> (executable: String, arguments: [String]) {
      let arguments =
        [
          "test", "--skip-build", "--disable-xctest", "--package-path", house.root.path,
        ] + build.options + options
      return (try Toolchain.swift(), arguments)
    }

    /// Always nil: SwiftPM runs the bundle that it has built, under its own name.
    static func nameProgram(of build: SwiftBuild.Request, in house: House) throws -> String? { nil }

    /// Always nil: SwiftPM runs the bundle that it has built, and no copy of it.
    static func keepProgram(
      of build: SwiftBuild.Request, number: Int, in house: House
    ) throws -> String? { nil }
  }
#endif
