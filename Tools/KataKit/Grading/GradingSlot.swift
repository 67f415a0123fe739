import Foundation

/// A copy of what the specs are built from, in which one submission at a time is built and run.
///
/// Nothing that a submission does to the files around it reaches the clone or another slot. What it
/// builds on is kept from one submission to the next, so that only the answers are compiled.
final class GradingSlot: Sendable {
  /// The slots' folder in the clone.
  static let folder = ".build/grade/slots"

  /// The clone that it's a copy of.
  let clone: House
  /// The copy.
  let house: House
  let number: Int
  /// Held as long as the slot is.
  private let lock: Int32
  private var root: URL { clone.url("\(Self.folder)/\(number)") }

  /// Takes the first slot that no other command holds.
  init(of clone: House) throws {
    self.clone = clone
    let folder = clone.url(Self.folder)
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw KataError.cannotWrite(Self.folder, error)
    }
    var number = 1
    while true {
      let file = folder.appending(path: "\(number).lock").path
      let lock = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      guard lock >= 0 else {
        throw KataError.cannotWrite(file, POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO))
      }
      // Where the file system knows no locks, each slot is taken as free.
      if flock(lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK {
        self.lock = lock
        break
      }
      close(lock)
      number += 1
    }
    self.number = number
    house = House(root: folder.appending(path: "\(number)/house"))
    endLeftovers()
    try? FileManager.default.removeItem(at: desks)
    try putRight()
  }

  /// Ends what still runs here, of a submission or of a command that was killed.
  func endLeftovers() {
    Leftovers.stop(markedBy: "KATA_SLOT=\(house.root.path)\0")
  }

  deinit {
    try? FileManager.default.removeItem(at: desks)
    close(lock)
  }

  // MARK: - Builds

  /// The build of a module's specs, each in a folder of its own, so that its plan stays.
  func build(of module: Module, sanitized: Bool) -> SwiftBuild.Request {
    SwiftBuild.Request(
      module: module, scratch: ".build/\(module.rawValue)\(sanitized ? "-tsan" : "")",
      sanitized: sanitized, slot: house.root.path)
  }

  /// The room in which a module's answers are built.
  func room(of module: Module, sanitized: Bool) -> AnswerRoom {
    AnswerRoom(
      house: house, request: build(of: module, sanitized: sanitized), references: clone)
  }

  // MARK: - Desks

  private var desks: URL { root.appending(path: "desks") }

  /// A new folder in which a run is at home.
  func desk() throws -> Desk { try Desk(desks.appending(path: UUID().uuidString)) }

  // MARK: - What must be as it was

  /// Makes the copy what it must be: every file that judges, letter by letter, and no other.
  ///
  /// - Returns: The paths of the files that weren't so, in order; nothing where all was well.
  @discardableResult
  func putRight() throws -> [String] {
    do {
      return try copyWhatDiffers()
    } catch {
      // Folders may have become files; nothing of it is worth keeping then.
      try? FileManager.default.removeItem(at: house.root)
      return try copyWhatDiffers()
    }
  }

  private func copyWhatDiffers() throws -> [String] {
    let needed = Self.files(in: clone)
    let extra = Self.files(in: house).subtracting(needed)
    for path in extra { try? FileManager.default.removeItem(at: house.url(path)) }
    var changed = extra
    for path in needed {
      guard let right = FileManager.default.contents(atPath: clone.url(path).path) else {
        throw KataError(
          "\(path) can't be read; restore it with 'git checkout -- \(path)'.", .environment)
      }
      let url = house.url(path)
      if FileManager.default.contents(atPath: url.path) == right, Self.isPlainFile(url) { continue }
      changed.insert(path)
      try replace(url, path, with: right)
    }
    return changed.sorted()
  }

  private func replace(_ url: URL, _ path: String, with data: Data) throws {
    do {
      // What stands there may be a folder or a link.
      if !Self.isPlainFile(url) { try? FileManager.default.removeItem(at: url) }
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try data.write(to: url, options: .atomic)
    } catch {
      throw KataError.cannotWrite(house.url(path).path, error)
    }
  }

  /// Begins anew: without anything that was built.
  func reset() throws {
    try? FileManager.default.removeItem(at: house.root)
    try putRight()
  }

  private static func isPlainFile(_ url: URL) -> Bool {
    var status = stat()
    return lstat(url.path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// What specs are built from, beside the answers: the paths of all files.
  ///
  /// The tool and its tests aren't part of a module's build.
  static func files(in house: House) -> Set<String> {
    let modules = Module.allCases.map { "\($0.rawValue)Tests" }
    var paths = Set(["Package.swift", "Package.resolved"].filter(house.exists))
    for room in ["Modules", "Tests", "Tools"] {
      let names =
        FileManager.default.enumerator(atPath: house.url(room).path)?
        .compactMap { $0 as? String } ?? []
      for name in names where !name.hasPrefix(".") && !name.contains("/.") {
        let top = name.split(separator: "/").first.map(String.init) ?? ""
        let isNeeded =
          switch room {
          case "Tests": modules.contains(top)
          case "Tools": !["KataKit", "kata"].contains(top)
          default: true
          }
        let path = "\(room)/\(name)"
        if isNeeded, !SubmissionFolder.isFolder(house.url(path)) { paths.insert(path) }
      }
    }
    return paths
  }
}
