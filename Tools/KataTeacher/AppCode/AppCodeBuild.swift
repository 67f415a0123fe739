import Foundation
import KataKit

/// Compiles code from an app, and the spec of one kata against it.
///
/// The code and its adapter become one module, with the name that specs import. Specs also see
/// internal declarations, so nothing has to be made public. Everything is compiled as Swift 5, so
/// nothing has to be `Sendable`.
struct AppCodeBuild: Sendable {
  private let repository: Repository
  private let build: SpecBuild
  private let folder: URL

  /// Creates a build into `folder`, which the caller removes.
  init(_ repository: Repository, _ folder: URL) throws {
    self.repository = repository
    self.folder = folder
    build = try SpecBuild(repository: repository)
  }

  private var answers: AnswerBuild { build.answers }

  /// A folder for plain products or for sanitized ones.
  private func path(_ name: String, _ sanitized: Bool) -> String {
    folder.appending(path: sanitized ? "tsan" : "plain").appending(path: name).path
  }

  /// Compiles the code and the spec, both with Thread Sanitizer if `sanitized`.
  ///
  /// Blocks until it's done or `stop` is set.
  func runner(
    for code: AppCode, sanitized: Bool, stop: CancellationFlag = CancellationFlag()
  ) throws -> BuildOutcome<SpecRunner> {
    let interface = path("interface", sanitized)
    return try library(of: code, in: interface, sanitized: sanitized, stop: stop).then { hooks in
      try build.runner(
        for: code.kata, from: copySpec(of: code), against: interface, of: code.sources,
        hooks: hooks, sanitized: sanitized, into: path("program", sanitized), stop: stop)
    }
  }

  // MARK: - The library

  /// Compiles the code, and what it calls at its points, if it has any.
  private func library(
    of code: AppCode, in interface: String, sanitized: Bool, stop: CancellationFlag
  ) throws -> BuildOutcome<String?> {
    let module = code.kata.module
    let name = AnswerBuild.name(of: module)
    let references = try answers.makeReferences(of: module, in: interface, stop: stop)
    let hooks = try build.hooks(sanitized: sanitized, in: URL(filePath: interface))?.path
    return try references.then {
      try answers.compiler(
        Toolchain.targetOptions + answers.toolchain.linkingOptions(for: name) + [
          "-module-name", name, "-parse-as-library", "-wmo", "-Onone", "-swift-version", "5",
          "-D", "DEBUG", "-enable-testing", "-suppress-warnings", "-diagnostic-style=llvm",
          "-I", "\(interface)/references",
          "-emit-module", "-emit-module-path", "\(interface)/\(name).swiftmodule",
          "-emit-library", "-o", "\(interface)/\(Toolchain.libraryName(name))",
          "-emit-symbol-graph", "-emit-symbol-graph-dir", interface,
          "-symbol-graph-minimum-access-level", "internal",
        ] + (sanitized ? ["-sanitize=thread", "-g"] : [])
          + (hooks.map { Toolchain.pointOptions + [$0] } ?? []) + code.sources.map(\.path),
        stop: stop)
    }.then { .built(hooks) }
  }

  // MARK: - The spec

  /// Copies the spec to a folder in which a file can be added.
  ///
  /// That file decides which type is meant by a name that both the code and another module declare:
  /// the adapter's type, or the one of the specs' libraries.
  ///
  /// - Returns: The folder, relative to the clone; paths in it are reported as those of the
  ///   originals.
  private func copySpec(of code: AppCode) throws -> String {
    for (path, text) in try tests(of: code) {
      try folder.appending(path: path).replaceContent(with: Data(text.utf8), name: path)
    }
    let module = AnswerBuild.name(of: code.kata.module)
    let own = try Declarations(of: module, in: path("interface", false)).types.map { $0.path[0] }
    let adapted = own.filter { $0.hasPrefix(AppCode.prefix) }
      .map { "typealias \($0.dropFirst(AppCode.prefix.count)) = \($0)\n" }
    let names =
      try adapted
      + namesOfSpecs().filter { own.contains($0.0) }.map { "typealias \($0) = \($1).\($0)\n" }
    let imports = "import KataTesting\nimport QuiescenceTesting\nimport Testing\n"
    let specs = folder.appending(path: code.kata.module.specs)
    let file = specs.appending(path: "Names.swift")
    try file.replaceContent(with: Data((imports + names.joined()).utf8), name: file.path)
    return String(specs.path.dropFirst(repository.root.path.count + 1))
  }

  /// The files of tests, and their places in a clone.
  private func tests(of code: AppCode) throws -> [(path: String, text: String)] {
    guard let scenario = code.scenario else {
      return try repository.specSources(of: code.kata).map { ($0, try repository.text($0)) }
    }
    let text = try Repository(root: scenario.deletingLastPathComponent())
      .text(scenario.lastPathComponent)
    let name = "\(code.kata.module.specs)/\(scenario.lastPathComponent)"
    // So the compiler and the tests name the original file.
    return [(name, "#sourceLocation(file: \"\(scenario.path)\", line: 1)\n\(text)")]
  }

  /// The types that specs use and that an app may declare as well, with their modules.
  private func namesOfSpecs() throws -> [(String, String)] {
    let testing = ["Comment", "Issue", "SourceLocation", "Suite", "Tag", "Test"]
    let own = try ["QuiescenceTesting", "KataTesting"].flatMap { module in
      try repository.files(below: "Tools/\(module)").filter { $0.hasSuffix(".swift") }
        .flatMap { path in
          try repository.text(path)
            .matches(
              of: #/(?m)^public (?:final |indirect )?(?:class|struct|enum|actor|protocol) (\w+)/#
            )
            .map { (String($0.1), module) }
        }
    }
    return own + testing.map { ($0, "Testing") }
  }

  // MARK: - The code's declarations

  /// The code's declarations, including the adapter's.
  func declarations(of code: AppCode) throws -> Declarations {
    try Declarations(
      of: AnswerBuild.name(of: code.kata.module), in: path("interface", false)
    ).adapted(by: AppCode.prefix)
  }

  /// The public declarations of a kata's stub, which the spec may use.
  func declarationsOfStub(of kata: Kata) throws -> Declarations {
    let place = path("stub", false)
    let stub = repository.url(repository.stubPath(of: kata)).path
    let outcome = try answers.compiler(
      Toolchain.targetOptions + [
        "-parse-as-library", "-swift-version", "6", "-suppress-warnings", "-module-name", "Stub",
        "-I", "\(path("interface", false))/references", "-emit-module", "-emit-module-path",
        "\(place)/Stub.swiftmodule", "-emit-symbol-graph", "-emit-symbol-graph-dir", place, stub,
      ], stop: CancellationFlag())
    guard case .built = outcome else { return Declarations() }
    return try Declarations(of: "Stub", in: place)
  }
}
