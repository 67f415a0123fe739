#if canImport(Glibc) || canImport(Musl)
  import Foundation

  extension PseudoTerminal {
    /// A new pseudo-terminal: the end that tests hold, and the name of the other.
    ///
    /// Source: pts(4) and ioctl_tty(2); Glibc's own functions for it aren't visible to Swift.
    static func open() -> (control: Int32, name: String)? {
      let unlock: UInt = 0x4004_5431  // TIOCSPTLCK
      let getNumber: UInt = 0x8004_5430  // TIOCGPTN
      let control = Foundation.open("/dev/ptmx", O_RDWR | O_NOCTTY)
      var isLocked: Int32 = 0
      var number: Int32 = 0
      guard control >= 0, ioctl(control, unlock, &isLocked) == 0,
        ioctl(control, getNumber, &number) == 0
      else { return nil }
      return (control, "/dev/pts/\(number)")
    }

    /// `POSIX_SPAWN_SETSID`: the program leads a session of its own.
    static let newSession: Int16 = 0x80

    /// To be filled by `posix_spawn_file_actions_init`.
    static var noActions: posix_spawn_file_actions_t { posix_spawn_file_actions_t() }
    /// To be filled by `posix_spawnattr_init`.
    static var noAttributes: posix_spawnattr_t { posix_spawnattr_t() }
  }
#endif
