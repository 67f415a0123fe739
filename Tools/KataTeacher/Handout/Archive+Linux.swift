#if !canImport(Darwin)
  extension Archive {
    /// Options of GNU tar that leave out the owner of the files.
    static let options = [
      "--format=ustar", "--owner=0", "--group=0", "--numeric-owner", "--mode=u=rw,go=r",
    ]
    /// The environment of tar.
    static let environment = ["LC_ALL": "C"]
  }
#endif
