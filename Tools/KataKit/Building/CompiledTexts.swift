import Foundation

/// Which texts of the learner's files a build folder's objects were compiled from.
///
/// Files that are saved quickly one after the other can look unchanged to a build system, and an
/// answer judged by the object of the one before would be judged wrongly. So the texts are compared,
/// not the clocks: where a text has changed and a build hasn't compiled its file, that is seen.
struct CompiledTexts {
  /// A file before the build.
  private struct Source {
    let text: Fingerprint
    /// The list of dependencies, which the compiler writes anew whenever it compiles the file; an
    /// object that would come out the same it leaves alone.
    let dependencies: FileMark?
  }

  private let house: House
  private let request: SwiftBuild.Request
  private let record: URL
  /// The texts that the objects were compiled from before the build, as far as that is known.
  private let compiled: [String: Fingerprint]
  private var sources: [String: Source] = [:]

  /// Takes down how things are before a build.
  init(of request: SwiftBuild.Request, in house: House) {
    self.house = house
    self.request = request
    record = house.url(request.scratch).appending(path: "compiled.json")
    compiled =
      (try? Data(contentsOf: record))
      .flatMap { try? JSONDecoder().decode([String: Fingerprint].self, from: $0) } ?? [:]
    for file in files() {
      guard let text = try? house.text("\(request.room)/\(file)") else { continue }
      sources[file] = Source(
        text: Fingerprint(of: text), dependencies: FileMark(product(of: file, "d")))
    }
  }

  /// The files that have another text than their objects were compiled from.
  func stale() -> [String] {
    sources.filter { file, source in
      guard let text = compiled[file] else { return false }
      return text != source.text && !wasCompiled(file, source)
    }.keys.sorted()
  }

  /// Removes the objects of files, so that the next build must compile them.
  func discard(_ files: [String]) {
    for file in files {
      for kind in ["swift.o", "d"] {
        try? FileManager.default.removeItem(atPath: product(of: file, kind))
      }
    }
  }

  /// Keeps which texts have been compiled, for the next build; after each build, whatever came of it.
  func keep(afterSuccess isBuilt: Bool) {
    var texts = compiled
    for (file, source) in sources where isBuilt || wasCompiled(file, source) {
      texts[file] = source.text
    }
    try? JSONEncoder().encode(texts).write(to: record, options: .atomic)
  }

  /// Whether a file was compiled since its text was taken down.
  private func wasCompiled(_ file: String, _ source: Source) -> Bool {
    FileMark(product(of: file, "d")) != source.dependencies
  }

  /// The learner's files that are built, below the room.
  private func files() -> [String] {
    let modules = request.module.map { [$0] } ?? Module.allCases
    return modules.flatMap { module in
      let folder = house.url("\(request.room)/\(module.rawValue)").path
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return names.filter { $0.hasSuffix(".swift") && !$0.hasPrefix(".") }
        .map { "\(module.rawValue)/\($0)" }
    }
  }

  /// What the compiler makes of a file.
  private func product(of file: String, _ kind: String) -> String {
    let parts = file.split(separator: "/")
    let name = parts[1].dropLast(".swift".count)
    return house.url("\(request.scratch)/debug/\(parts[0])Katas.build/\(name).\(kind)").path
  }
}
