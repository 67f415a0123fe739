#if canImport(Glibc) || canImport(Musl)
  extension PlannedBuild {
    /// SwiftPM's plan can be carried out by the toolchain's engine.
    static let isOffered = true
  }
#endif
