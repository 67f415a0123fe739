#if canImport(Darwin)
  extension PlannedBuild {
    /// Nobody has tried it here: SwiftPM builds every time.
    static let isOffered = false
  }
#endif
