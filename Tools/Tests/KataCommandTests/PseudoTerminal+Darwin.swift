#if canImport(Darwin)
  import Foundation

  extension PseudoTerminal {
    /// A new pseudo-terminal: the end that tests hold, and the name of the other.
    static func open() -> (control: Int32, name: String)? {
      let control = posix_openpt(O_RDWR | O_NOCTTY)
      guard control >= 0, grantpt(control) == 0, unlockpt(control) == 0,
        let name = ptsname(control)
      else { return nil }
      return (control, String(cString: name))
    }

    /// The program leads a session of its own.
    static let newSession = Int16(POSIX_SPAWN_SETSID)

    /// To be filled by `posix_spawn_file_actions_init`; a pointer on Darwin.
    static var noActions: posix_spawn_file_actions_t? { nil }
    /// To be filled by `posix_spawnattr_init`; a pointer on Darwin.
    static var noAttributes: posix_spawnattr_t? { nil }
  }
#endif
