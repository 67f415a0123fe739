#if !canImport(Darwin)
  extension Archive {
    /// GNU tar's options for files that belong to nobody in particular.
    static let options = [
      "--format=ustar", "--owner=0", "--group=0", "--numeric-owner", "--mode=u=rw,go=r",
    ]
    /// What tar finds in its environment.
    static let environment = ["LC_ALL": "C"]
  }
#endif
