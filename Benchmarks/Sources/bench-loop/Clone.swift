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
  /// The path of the `kata` command, built before.
  let tool: String
  /// The number of edits so far; each edit is a new one.
  private var edits = 0

  /// Copies `source`, without its build products and its learner's progress.
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
    let modules = try files.contentsOfDirectory(atPath: source.appending(path: "Katas").path)
    let stub = { (module: String) in "Tests/\(module)Tests/\(name)/Answers/Stub.swift" }
    let root = root
    guard
      let module = modules.first(where: {
        files.fileExists(atPath: root.appending(path: stub($0)).path)
      })
    else {
      try? files.removeItem(at: root)
      throw BenchmarkError.usage("There is no kata '\(name)'; 'make list' shows them all.")
    }
    kata = Kata(module: module, name: name)
    try write(try text(stub(module)))
  }

  deinit {
    try? FileManager.default.removeItem(at: root)
  }

  func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  // MARK: - The learner's file

  var path: String { "Katas/\(kata.module)/\(kata.name).swift" }

  var stub: String { "Tests/\(kata.module)Tests/\(kata.name)/Answers/Stub.swift" }

  var reference: String { "Modules/\(kata.module)/\(kata.name).swift" }

  /// Saves the learner's file.
  func write(_ text: String) throws {
    try Data(text.utf8).write(to: root.appending(path: path), options: .atomic)
  }

  /// Saves the file with a change that no build has seen; by default a change of the stub.
  func save(_ edit: Edit, of base: String? = nil) throws {
    edits += 1
    try write(try edit.text(from: try text(base ?? stub), number: edits))
  }

  // MARK: - More katas

  /// Adds copies of the kata and its spec under other names.
  func grow(by count: Int) throws {
    for number in 1...count {
      for folder in ["Katas/\(kata.module)", "Tests/\(kata.module)Tests"] {
        let names = try FileManager.default.contentsOfDirectory(
          atPath: root.appending(path: folder).path)
        for name in names
        where name.hasPrefix(kata.name) && !name.contains("Copy") && name.hasSuffix(".swift") {
          let copy = "\(kata.name)Copy\(number)"
          let new = name.replacingOccurrences(of: kata.name, with: copy)
          try Data(
            try text("\(folder)/\(name)").replacingOccurrences(of: kata.name, with: copy).utf8
          ).write(to: root.appending(path: "\(folder)/\(new)"))
        }
      }
    }
  }
}

/// A change that a learner makes.
enum Edit: String, CaseIterable {
  case body = "a body"
  case storedProperty = "a stored property"
  case privateType = "a private type"
  case lock = "a lock"

  /// `text` with the change in it.
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
