import Foundation

/// The package in which the runner builds a module's specs: a manifest below `.build`, and links to
/// the sources.
///
/// It depends on the clone's own package for the libraries that specs and answers use.
struct SpecPackage: Sendable {
  /// What the specs judge.
  enum Answers: Sendable {
    /// The learner's files, which are compiled with the specs.
    case sources
    /// A library that is passed to the specs when they start; its interface is in a folder.
    case library(interface: String)
    /// A library of an app's code, which needs no public interface and no Swift 6 mode.
    case app(interface: String)
  }

  let repository: Repository
  let module: Module
  /// The files that are compiled, relative to the folder of the specs' sources.
  private let files: [String]
  /// That folder, relative to the root of the clone.
  private let specs: String
  private let answers: Answers

  init(
    _ repository: Repository, _ module: Module, files: [String], copiedTo specs: String? = nil,
    answers: Answers
  ) {
    self.repository = repository
    self.module = module
    self.files = files
    self.specs = specs ?? module.specs
    self.answers = answers
  }

  /// The environment for the clone's manifest: its defaults.
  static let environment = ["KATA_ANSWERS": "", "KATA_STRICT": ""]

  /// The package's name.
  static let name = "Specs"

  /// The packages' folder, relative to the root of the clone.
  ///
  /// Below each of its subfolders, a source has the same path as in the clone.
  static let folder = ".build/packages"

  /// The language features that all code of the project is compiled with.
  static let features = ["ExistentialAny", "MemberImportVisibility"]

  /// The features of Swift 6 that change what code does, and not only what compiles.
  ///
  /// The specs of an app's code are compiled as Swift 5, which only warns where a type isn't
  /// `Sendable`. They must do the same as in Swift 6.
  private static let featuresOfSwift6 = [
    "BareSlashRegexLiterals", "ConciseMagicFile", "ForwardTrailingClosures",
    "ImplicitOpenExistentials",
  ]

  /// Writes the package with this name, and returns its folder.
  ///
  /// With an `entryPoint` it has its own `main`, and SwiftPM doesn't search for tests.
  func write(as name: String, entryPoint: String? = nil) throws -> URL {
    let folder = repository.url("\(Self.folder)/\(name)")
    try link(module.specs, to: specs, in: folder)
    if case .sources = answers { try link(module.answers, to: module.answers, in: folder) }
    try write(text, as: "Package.swift", in: folder)
    // SwiftPM recognises it by this name.
    let main = "XCTMain.swift"
    if let entryPoint {
      try write(entryPoint, as: main, in: folder)
    } else {
      try? FileManager.default.removeItem(at: folder.appending(path: main))
    }
    return folder
  }

  private func write(_ text: String, as name: String, in folder: URL) throws {
    let file = folder.appending(path: name)
    // Only a changed file is read and compiled again.
    guard (try? Data(contentsOf: file)) != Data(text.utf8) else { return }
    try file.replaceContent(with: Data(text.utf8), name: file.path)
  }

  private func link(_ path: String, to source: String, in folder: URL) throws {
    let (link, target) = (folder.appending(path: path).path, repository.url(source).path)
    let files = FileManager.default
    guard (try? files.destinationOfSymbolicLink(atPath: link)) != target else { return }
    do {
      try? files.removeItem(atPath: link)
      try files.createDirectory(
        at: URL(filePath: link).deletingLastPathComponent(), withIntermediateDirectories: true)
      try files.createSymbolicLink(atPath: link, withDestinationPath: target)
    } catch {
      throw KataError.cannotWrite(Self.folder, error)
    }
  }

  // MARK: - The manifest

  private var text: String {
    """
    // swift-tools-version: 6.3
    import PackageDescription

    let package = Package(
      name: \(literal(Self.name)),
      platforms: [.macOS(.v15)],
      dependencies: [.package(name: "ConcurrencyKatas", path: \(literal(repository.root.path)))],
      targets: [\(targets.joined(separator: ", "))],
      swiftLanguageModes: [.v6]
    )

    """
  }

  private var targets: [String] {
    let subject = AnswerBuild.name(of: module)
    let imports = module.imports.filter { repository.exists("Modules/\($0)") }
    let dependencies = (["KataTesting"] + imports).map(product)
    let spec = """
      .testTarget(
        name: \(literal("\(module.rawValue)Tests")),
        dependencies: \(list(dependencies + (isLibrary ? [] : [literal(subject)]))),
        path: \(literal(module.specs)), sources: \(list(files.map(literal))),
        packageAccess: \(!isLibrary),
        swiftSettings: \(list(settings)), linkerSettings: \(list(linkerSettings)))
      """
    guard !isLibrary else { return [spec] }
    let answers = """
      .target(
        name: \(literal(subject)), dependencies: \(list(imports.map(product))),
        path: \(literal(module.answers)), swiftSettings: \(list(features(Self.features))))
      """
    return [answers, spec]
  }

  private var isLibrary: Bool { interface != nil }

  private var interface: String? {
    switch answers {
    case .sources: nil
    case .library(let interface), .app(let interface): interface
    }
  }

  private var settings: [String] {
    guard let interface else { return features(Self.features) }
    // An answer is a library with the stub's module name. The package name is only needed for
    // package access.
    let flags = unsafe(["-I", interface, "-package-name", "ConcurrencyKatas"])
    guard case .app = answers else { return features(Self.features) + [flags] }
    let seen = ["-testable-import-module", AnswerBuild.name(of: module)]
    return features(["ExistentialAny"] + Self.featuresOfSwift6)
      + [flags, ".swiftLanguageMode(.v5)", unsafe(seen.flatMap { ["-Xfrontend", $0] })]
  }

  private var linkerSettings: [String] {
    guard let interface else { return [] }
    // An answer finds the libraries that it uses in the specs' program, which checks at launch
    // whether the answer has every symbol that the specs need.
    let flags = ["-L", interface, "-l\(AnswerBuild.name(of: module))"] + Toolchain.programOptions
    return [unsafe(flags)]
  }

  private func features(_ names: [String]) -> [String] {
    names.map { ".enableUpcomingFeature(\(literal($0)))" }
  }

  private func unsafe(_ flags: [String]) -> String { ".unsafeFlags(\(list(flags.map(literal))))" }

  private func product(_ name: String) -> String {
    ".product(name: \(literal(name)), package: \"ConcurrencyKatas\")"
  }

  private func list(_ items: [String]) -> String { "[\(items.joined(separator: ", "))]" }

  /// A text as a Swift string literal, with any content.
  private func literal(_ text: String) -> String { text.debugDescription }
}
