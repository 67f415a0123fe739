import Foundation

/// Which files some katas need to be built and judged.
///
/// Files are told by name: whoever mentions what another file declares needs that file. So a kata
/// comes along with the fixtures of its spec, with the stub whose type its own stub mentions, and
/// with the references that it builds on.
struct HandoutSelection {
  /// Paths of the stubs, the specs and their fixtures, sorted.
  private(set) var files: [String] = []
  /// The katas that aren't among the chosen ones and whose stubs are built with them.
  private(set) var company: [Kata] = []
  /// The katas whose references the chosen ones build on.
  private(set) var builtOn: [Kata] = []
  /// The modules of references that they import and use nothing of.
  private(set) var imported: [Module] = []
  /// Whether they use the module of pictures.
  private(set) var needsImages = false

  /// Selects for `katas`; where `hasReferences`, also what their references build on.
  init(of katas: [Kata], hasReferences: Bool, in house: House) throws {
    let catalogue = Catalogue.katas
    var references: [(kata: Kata, names: SourceNames)] = []
    for kata in catalogue {
      let path = house.referencePath(of: kata)
      references.append((kata, SourceNames(try house.text(path))))
    }
    var imports: Set<String> = []
    var needed = Set(hasReferences ? katas.map(\.name) : [])
    for module in Module.allCases {
      let chosen = katas.filter { $0.module == module }
      guard !chosen.isEmpty else { continue }
      let room = try FilesByMention(module, in: house)
      let taken = room.closure(
        of: chosen.flatMap { [house.learnerPath(of: $0), house.specPath(of: $0)] })
      files += taken
      company += catalogue.filter { kata in
        kata.module == module && taken.contains(house.learnerPath(of: kata))
          && !chosen.contains { $0.name == kata.name }
      }
      for path in taken {
        guard let names = room.sources[path] else { continue }
        needed.formUnion(Self.references(for: names, of: module, among: references))
        imports.formUnion(names.imported)
      }
      // Whoever answers as the reference does must find what that one builds on.
      for (kata, names) in references where chosen.contains(where: { $0.name == kata.name }) {
        needed.formUnion(Self.references(for: names, of: module, among: references))
        needed.formUnion(
          references.filter { $0.kata.module == module }
            .filter { !$0.names.declared.isDisjoint(with: kata.buildsOn) }.map(\.kata.name))
        imports.formUnion(names.imported)
      }
    }
    // What a reference builds on in its own module.
    var before: Set<String> = []
    while before != needed {
      before = needed
      for (kata, names) in references where before.contains(kata.name) {
        imports.formUnion(names.imported)
        needed.formUnion(
          references.filter { other in
            other.kata.module == kata.module
              && !other.names.declared.isDisjoint(with: names.mentioned)
          }.map(\.kata.name))
      }
    }
    files.sort()
    builtOn = catalogue.filter { needed.contains($0.name) }
    needsImages = imports.contains("Images")
    imported = Module.allCases.filter { module in
      imports.contains(module.rawValue) && !builtOn.contains { $0.module == module }
    }
  }

  /// The katas whose references a file of `module` uses.
  ///
  /// In its own module a name is the learner's unless it's given in full.
  private static func references(
    for file: SourceNames, of module: Module, among references: [(kata: Kata, names: SourceNames)]
  ) -> [String] {
    references.filter { kata, names in
      let other = kata.module.rawValue
      guard file.imported.contains(other) || file.qualified[other] != nil else { return false }
      let used =
        kata.module == module ? file.qualified[other] ?? [] : file.mentioned
      return !names.declared.isDisjoint(with: used)
    }.map(\.kata.name)
  }
}

/// The stubs of a module with the specs and their fixtures, and who mentions whom.
struct FilesByMention {
  /// The files by path.
  let sources: [String: SourceNames]
  /// The file that says which answers the specs judge.
  private let subject: String
  private let module: Module

  init(_ module: Module, in house: House) throws {
    self.module = module
    let tests = "Tests/\(module.rawValue)Tests"
    subject = "\(tests)/Subject.swift"
    var sources: [String: SourceNames] = [:]
    for path in try house.files(below: tests) where path.hasSuffix(".swift") {
      sources[path] = SourceNames(path == subject ? "" : try house.text(path))
    }
    for kata in Catalogue.katas(of: module) {
      // As it's handed out, whatever has become of it here.
      sources[house.learnerPath(of: kata)] = SourceNames(
        try house.text(house.stubPath(of: kata)))
    }
    self.sources = sources
  }

  /// The spec of the kata whose stub this is; with a spec, its stub is built.
  private func spec(for stub: String) -> String? {
    guard stub.hasPrefix("Katas/") else { return nil }
    let name = stub.split(separator: "/")[2].dropLast(".swift".count)
    return "Tests/\(module.rawValue)Tests/\(name)Tests.swift"
  }

  /// The files that `roots` need, these among them.
  func closure(of roots: [String]) -> Set<String> {
    var taken = Set(roots + [subject])
    var fresh = roots
    while let path = fresh.popLast() {
      guard let file = sources[path] else { continue }
      for (other, names) in sources where !taken.contains(other) {
        // A suite's extension in a file of its own belongs to the suite.
        let isPart =
          path.hasSuffix("Tests.swift") && other.hasPrefix("Tests/")
          && names.members.keys.contains { file.declared.contains($0) }
        // What a stub adds to a type of Foundation's, only its own spec uses.
        let isUsed =
          other.hasPrefix("Tests/")
          ? file.uses(names) : !names.declared.isDisjoint(with: file.mentioned)
        if isPart || isUsed || spec(for: other) == path {
          taken.insert(other)
          fresh.append(other)
        }
      }
    }
    return taken
  }
}

extension House {
  /// The paths of all files below a folder, without hidden ones, sorted.
  func files(below folder: String) throws -> [String] {
    guard let all = FileManager.default.enumerator(atPath: url(folder).path) else {
      throw KataError(
        "\(folder) can't be read; restore it with 'git checkout -- \(folder)'.", .environment)
    }
    return all.compactMap { $0 as? String }.filter { path in
      var isFolder: ObjCBool = false
      let isThere = FileManager.default.fileExists(
        atPath: url("\(folder)/\(path)").path, isDirectory: &isFolder)
      return isThere && !isFolder.boolValue
        && !path.split(separator: "/").contains { $0.hasPrefix(".") }
    }.map { "\(folder)/\($0)" }.sorted()
  }
}
