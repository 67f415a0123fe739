#if canImport(Darwin)
  extension Archive {
    /// Options of the system's tar (bsdtar) that leave out the owner of the files.
    static let options = [
      "--format", "ustar", "--uid", "0", "--gid", "0", "--uname", "", "--gname", "",
      // Equal contents make equal archives at any time.
      "--options", "gzip:!timestamp",
    ]
    /// The environment of tar, so that extended attributes don't become files of their own.
    static let environment = ["LC_ALL": "C", "COPYFILE_DISABLE": "1"]
  }
#endif
