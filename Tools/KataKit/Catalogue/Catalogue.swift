import Foundation
import Synchronization

/// All katas of the current clone, in teaching order.
package enum Catalogue {
  private static let reading = Result {
    try katas(
      in: clone.withLock(\.self)
        ?? Repository.containing(URL(filePath: FileManager.default.currentDirectoryPath)))
  }
  private static let clone = Mutex<Repository?>(nil)

  /// Reads the katas of the given clone, whatever the current folder is; call this before anything
  /// else.
  static func read(from repository: Repository) { clone.withLock { $0 = repository } }

  /// All katas; empty if they can't be read, which ``check()`` reports.
  package static var katas: [Kata] { (try? reading.get()) ?? [] }

  /// Throws the error that keeps the katas from being read; call this before using them.
  package static func check() throws { _ = try reading.get() }

  /// The katas of a clone, as their files describe them.
  static func katas(in repository: Repository) throws -> [Kata] {
    try TeachingOrder(in: repository).entries.map { name, module in
      let path = "\(Kata.folder(of: name, in: module))/\(KataFile.name)"
      return try KataFile(try repository.text(path), path: path).kata(named: name, in: module)
    }
  }

  /// The modules that have katas; a handout may leave some out.
  package static var modules: [Module] { Module.allCases.filter { !katas(of: $0).isEmpty } }

  /// The katas of a module, in teaching order.
  package static func katas(of module: Module) -> [Kata] { katas.filter { $0.module == module } }

  /// The kata called `name`, in any case, or the one that a file with this name or path belongs to.
  package static func kata(named name: String) throws -> Kata {
    if let kata = kata(meantBy: name) { return kata }
    if let several = try? katas(named: name), several.count > 1 {
      throw KataError(
        "'\(name)' is \(several.count) katas; name one, such as \(several[0].name).", .usage)
    }
    throw unknown(name, what: "kata", among: katas.map(\.name))
  }

  /// The katas that `name` means: a kata, a module, or "all".
  package static func katas(named name: String) throws -> [Kata] {
    if name.lowercased() == "all" { return katas }
    if let module = modules.first(where: { $0.rawValue.lowercased() == name.lowercased() }) {
      return katas(of: module)
    }
    if let kata = kata(meantBy: name) { return [kata] }
    throw unknown(
      name, what: "kata or module", among: katas.map(\.name) + modules.map(\.rawValue))
  }

  /// The kata that a file name or path belongs to.
  ///
  /// A kata's answer and reference have its name, its spec's files begin with it, and all else is
  /// in a folder with its name.
  private static func kata(meantBy name: String) -> Kata? {
    for part in name.lowercased().split(separator: "/").reversed() {
      let stem = part.prefix { $0 != "." }
      let kata = katas.first {
        stem == $0.name.lowercased() || stem.hasPrefix("\($0.name.lowercased())tests")
      }
      if let kata { return kata }
    }
    return nil
  }

  private static func unknown(_ name: String, what: String, among names: [String]) -> KataError {
    let nearest = EditDistance.nearest(to: name, among: names)
    let suggestion = nearest.map { "did you mean \($0)?" } ?? "'make list' shows them all."
    return KataError("There is no \(what) '\(name)'; \(suggestion)", .usage)
  }
}

/// The number of letters in which two words differ.
package enum EditDistance {
  /// The name nearest to `word`, if one is near enough to be meant.
  package static func nearest(to word: String, among names: [String]) -> String? {
    let word = word.lowercased()
    let ranked = names.map { ($0, between(word, $0.lowercased())) }
    // A part of a name means that name, however much longer the name is.
    let whole = word.count > 2 ? ranked.filter { $0.0.lowercased().contains(word) } : []
    if let shortest = whole.min(by: { $0.1 < $1.1 }) { return shortest.0 }
    guard let best = ranked.min(by: { $0.1 < $1.1 }) else { return nil }
    return best.1 <= max(2, best.0.count / 2) ? best.0 : nil
  }

  /// The insertions, deletions and replacements that turn one word into the other.
  ///
  /// Source: Wagner and Fischer, 1974.
  static func between(_ first: String, _ second: String) -> Int {
    let second = Array(second)
    var row = Array(0...second.count)
    for (index, letter) in first.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in second.indices {
        let change = diagonal + (letter == second[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(change, row[column] + 1, diagonal + 1)
      }
    }
    return row[second.count]
  }
}
