import Foundation

/// A file system that is mounted for a test, where that is allowed: by root, on Linux.
struct TemporaryMount {
  let folder: URL

  /// Whether this process may mount anything; found out by doing it.
  static let isAllowed: Bool = {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "katas-mount-\(UUID().uuidString)")
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    guard let mount = try? TemporaryMount(megabytes: 1, over: folder) else { return false }
    mount.remove()
    return true
  }()

  private struct NotAllowed: Error {}

  /// Mounts an empty file system of so many megabytes over a folder.
  init(megabytes: Int, over folder: URL) throws {
    self.folder = folder
    try Self.call("mount", ["-t", "tmpfs", "-o", "size=\(megabytes)m", "tmpfs", folder.path])
  }

  /// Makes a folder read-only for all users.
  init(readOnly folder: URL) throws {
    self.folder = folder
    try Self.call("mount", ["--bind", folder.path, folder.path])
    do {
      try Self.call("mount", ["-o", "remount,bind,ro", folder.path])
    } catch {
      remove()
      throw error
    }
  }

  /// Fills it to the last byte.
  func fill() throws {
    let file = folder.appending(path: "ballast").path
    try Data().write(to: URL(filePath: file))
    let handle = try FileHandle(forWritingTo: URL(filePath: file))
    defer { try? handle.close() }
    for size in [1 << 20, 4096, 1] {
      let block = Data(repeating: 0xAA, count: size)
      while (try? handle.write(contentsOf: block)) != nil {}
    }
  }

  /// Unmounts it; what still uses it keeps it for as long.
  func remove() {
    try? Self.call("umount", ["--lazy", folder.path])
  }

  private static func call(_ tool: String, _ arguments: [String]) throws {
    #if os(Linux)
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = [tool] + arguments
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      if process.terminationStatus == 0 { return }
    #endif
    throw NotAllowed()
  }
}
