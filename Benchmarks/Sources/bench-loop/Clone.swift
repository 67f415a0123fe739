import Foundation
import Measuring

/// A kata: its name, and the module that it belongs to.
struct Kata {
  let module: String
  let name: String
}

/// A copy of the repository in a temporary folder, in which a learner's file is edited.
final class Clone {
  let root: URL
  let kata: Kata
  /// The command, which has been built.
  let tool: String
  /// The number of edits so far; each is different.
  private var edits = 0

  /// Copies `source`, without build products and the learner's progress.
  init(of source: URL, kata name: String, tool: String) throws {
    self.tool = tool
    root = FileManager.default.temporaryDirectory.appending(path: "bench-loop-\(UUID().uuidString)")
      .resolvingSymlinksInPath()
    let files = FileManager.default
    try files.createDirectory(at: root, withIntermediateDirectories: true)
    for entry in try files.contentsOfDirectory(atPath: source.path)
    where ![".build", ".git", ".kata-progress.json"].contains(entry) {
      try files.copyItem(at: source.appending(path: entry), to: root.appending(path: entry))
    }
    let root = root
    let modules = try files.contentsOfDirectory(atPath: root.appending(path: "Katas").path)
    guard
      let module = modules.first(where: {
        files.fileExists(atPath: root.appending(path: "Katas/\($0)/\(name).swift").path)
      })
    else {
      try? files.removeItem(at: root)
      throw BenchmarkError.usage("There is no kata '\(name)'; 'make list' shows them all.")
    }
    kata = Kata(module: module, name: name)
    try write(try text(stub))
  }

  deinit {
    try? FileManager.default.removeItem(at: root)
  }

  func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  // MARK: - The learner's file

  var path: String { "Katas/\(kata.module)/\(kata.name).swift" }

  var stub: String { "Tests/Gallery/\(kata.module)/\(kata.name)/Answers/Stub.swift" }

  var reference: String { "Modules/\(kata.module)/\(kata.name).swift" }

  /// Saves the learner's file.
  func write(_ text: String) throws {
    try Data(text.utf8).write(to: root.appending(path: path), options: .atomic)
  }

  /// Saves the file with a change that no build has seen, by default of the stub.
  func save(_ edit: Edit, of base: String? = nil) throws {
    edits += 1
    try write(try edit.text(from: try text(base ?? stub), number: edits))
  }

  // MARK: - More katas

  /// Adds copies of the kata and its spec under other names.
  func grow(by count: Int) throws {
    let spec = "Tests/\(kata.module)Tests/\(kata.name)"
    let files = try FileManager.default.contentsOfDirectory(
      atPath: root.appending(path: spec).path)
    for number in 1...count {
      let copy = "\(kata.name)Copy\(number)"
      for path in [path] + files.map({ "\(spec)/\($0)" }) {
        let new = root.appending(path: path.replacingOccurrences(of: kata.name, with: copy))
        try FileManager.default.createDirectory(
          at: new.deletingLastPathComponent(), withIntermediateDirectories: true)
        let text = try text(path).replacingOccurrences(of: kata.name, with: copy)
        try Data(text.utf8).write(to: new)
      }
    }
  }
}

/// An edit that a learner makes.
enum Edit: String, CaseIterable {
  case body = "a body"
  case storedProperty = "a stored property"
  case privateType = "a private type"
  case lock = "a lock"

  /// `text` with the edit.
  func text(from text: String, number: Int) throws -> String {
    let place: Range<String.Index>?
    let line: String
    switch self {
    case .body:
      place = text.firstRange(of: #/\n  (public |open |override )*(func|init)[^\n{]*\{\n/#)
      line = "    withExtendedLifetime(\"an edit, number \(number)\") {}\n"
    case .storedProperty:
      place = text.firstRange(of: #/\n(public |open |final )*(class|struct) [^\n]*\{\n/#)
      line = "  private let benchmark\(number) = \(number)\n"
    case .privateType:
      return "\(text)\nprivate struct Benchmark\(number) { let number = \(number) }\n"
    case .lock:
      place = text.firstRange(of: #/\n(public |open |final )*(class|struct) [^\n]*\{\n/#)
      let lock = ["NSLock", "NSRecursiveLock", "NSCondition"][number % 3]
      line = "  private let benchmark = Foundation.\(lock)()\n"
    }
    guard let place else {
      throw BenchmarkError(
        "This kata's stub has no place for an edit of \(rawValue); take another.")
    }
    let edited = text.replacingCharacters(in: place.upperBound..<place.upperBound, with: line)
    guard self == .lock, !text.contains("import Foundation") else { return edited }
    return "import Foundation\n\(edited)"
  }
}
