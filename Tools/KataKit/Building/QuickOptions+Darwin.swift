#if canImport(Darwin)
  extension SwiftBuild.Request {
    /// Nothing: nobody has measured here what pays.
    var quickOptions: [String] { [] }
  }
#endif
