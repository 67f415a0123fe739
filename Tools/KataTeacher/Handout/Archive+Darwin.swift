#if canImport(Darwin)
  extension Archive {
    /// The options of the system's tar (bsdtar) for files that belong to nobody in particular.
    static let options = [
      "--format", "ustar", "--uid", "0", "--gid", "0", "--uname", "", "--gname", "",
      // Equal contents make equal archives, whatever the time of day.
      "--options", "gzip:!timestamp",
    ]
    /// What tar finds in its environment; without extended attributes as files of their own.
    static let environment = ["LC_ALL": "C", "COPYFILE_DISABLE": "1"]
  }
#endif
