import Foundation
import KataKit

/// The working directory of a run of another person's answer.
///
/// `HOME` and `TMPDIR` of the run are inside it. The run's environment has what a program needs to
/// start, and no tokens.
struct Sandbox: Sendable {
  let folder: URL

  /// Creates the folder.
  init(_ folder: URL) throws {
    self.folder = folder
    for path in [home, temporary] {
      do {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      } catch {
        throw KataError.cannotWrite(path, error)
      }
    }
  }

  private var home: String { folder.appending(path: "home").path }
  private var temporary: String { folder.appending(path: "tmp").path }

  /// The variables of a run, in addition to those that its spec reads.
  var environment: [String: String] {
    var environment = ProcessInfo.processInfo.environment.filter { name, _ in
      Self.needed.contains(name) || name.hasPrefix("LC_")
    }
    environment["HOME"] = home
    environment["TMPDIR"] = temporary
    return environment
  }

  /// Variables that programs, and on macOS `swift test`, need to start.
  private static let needed: Set = [
    "PATH", "LANG", "TZ", "LD_LIBRARY_PATH", "DYLD_FRAMEWORK_PATH", "DYLD_LIBRARY_PATH",
    "DEVELOPER_DIR", "SDKROOT", "TOOLCHAINS", "SWIFTLY_HOME_DIR", "SWIFTLY_BIN_DIR",
  ]

  /// Removes the folder with its contents.
  func clear() {
    try? FileManager.default.removeItem(at: folder)
  }
}
