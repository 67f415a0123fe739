// swift-tools-version: 6.2
import Foundation
import PackageDescription

// Two environment variables choose what is built; unset, the specs judge the learner's `Katas/`.
//
//   KATA_ANSWERS   reference       the specs import the reference modules
//                  <folder>        a folder inside the package stands in for `Katas/`
//   KATA_MODULE    <module>        only this module's targets and what they need

/// One of the six modules, and what its sources import.
struct Module {
  let name: String
  /// Targets that the references import, and the katas too.
  var imports: [String] = []
  /// Whether katas build on the module's own references, so that each can be done by itself.
  var katasImportReferences = false
}

/// The six modules in teaching order.
let curriculum = [
  Module(name: "GCDBasics"),
  Module(name: "GroupsSemaphores"),
  Module(name: "Barriers"),
  Module(name: "Operations", imports: ["Images"]),
  Module(name: "AsyncOperations", imports: ["Images"], katasImportReferences: true),
  Module(name: "Cancellation", imports: ["AsyncOperations"]),
]

/// Whether a folder is there: a handout has only the rooms of its katas.
func isThere(_ folder: String) -> Bool {
  FileManager.default.fileExists(atPath: "\(Context.packageDirectory)/\(folder)")
}

/// What the specs import as their subject.
enum Answers {
  /// The learner's stubs in `Katas/`.
  case learner
  /// The reference modules in `Modules/`.
  case reference
  /// The module folders below this folder, in place of `Katas/`.
  case folder(String)

  var isReference: Bool {
    if case .reference = self { true } else { false }
  }

  /// The folder that holds a folder of answers for each module.
  var root: String {
    switch self {
    case .learner: "Katas"
    case .reference: "Modules"
    case .folder(let path): path
    }
  }
}

func refuse(_ sentence: String) -> Never {
  FileHandle.standardError.write(Data("error: \(sentence)\n".utf8))
  exit(1)
}

func answersFromEnvironment() -> Answers {
  switch Context.environment["KATA_ANSWERS"] ?? "" {
  case "": return .learner
  case "reference":
    if let module = modulesFromEnvironment().first(where: { !isThere("Modules/\($0.name)") }) {
      refuse("KATA_ANSWERS is 'reference', and the references of \(module.name) aren't here.")
    }
    return .reference
  case let path:
    let package = URL(filePath: Context.packageDirectory).standardizedFileURL.path
    let folder = URL(
      filePath: path, relativeTo: URL(filePath: package, directoryHint: .isDirectory)
    )
    .standardizedFileURL.path
    guard folder.hasPrefix(package + "/") else {
      refuse(
        "KATA_ANSWERS is '\(path)', which lies outside this package; copy the answers into it.")
    }
    for module in modulesFromEnvironment() {
      var isFolder: ObjCBool = false
      let answers = "\(folder)/\(module.name)"
      guard FileManager.default.fileExists(atPath: answers, isDirectory: &isFolder),
        isFolder.boolValue
      else {
        refuse(
          "KATA_ANSWERS is '\(path)', but '\(path)/\(module.name)' is not a folder; "
            + "give 'reference' or a folder laid out like Katas/.")
      }
    }
    return .folder(String(folder.dropFirst(package.count + 1)))
  }
}

func modulesFromEnvironment() -> [Module] {
  let rooms = curriculum.filter { isThere("Katas/\($0.name)") }
  guard let name = Context.environment["KATA_MODULE"], !name.isEmpty else { return rooms }
  guard let module = rooms.first(where: { $0.name == name }) else {
    let names = rooms.map(\.name).joined(separator: ", ")
    refuse("KATA_MODULE is '\(name)', which is not a module; the modules are \(names).")
  }
  return [module]
}

let modules = modulesFromEnvironment()
let answers = answersFromEnvironment()
let isFocused = !(Context.environment["KATA_MODULE"] ?? "").isEmpty

/// Our own code compiles without a warning; the learner's may have as many as it likes.
let ours: [SwiftSetting] = [.treatAllWarnings(as: .error)]

var targets: [Target] = [
  .target(name: "KataPictures", path: "Tools/KataPictures", swiftSettings: ours),
  .target(name: "KataSanitizer", path: "Tools/KataSanitizer"),
  .target(
    name: "KataTesting", dependencies: ["KataPictures", "KataSanitizer"],
    path: "Tools/KataTesting", swiftSettings: ours),
]

// The tools. A focused build and a build of somebody's answers do without them.
var hasTools = !isFocused
if case .folder = answers { hasTools = false }

// The references: all of them, or those that are imported by what is built.
var needed = Set(modules.flatMap(\.imports))
if hasTools || answers.isReference { needed.formUnion(modules.map(\.name)) }
needed.formUnion(modules.filter(\.katasImportReferences).map(\.name))
let references = curriculum.filter { needed.contains($0.name) && isThere("Modules/\($0.name)") }
if isThere("Modules/Images"),
  hasTools || (modules + references).contains(where: { $0.imports.contains("Images") })
{
  targets.append(.target(name: "Images", path: "Modules/Images", swiftSettings: ours))
}
/// Those of some modules in `Modules/` that are there, as what a target depends on.
func dependencies(on modules: [String]) -> [Target.Dependency] {
  modules.filter { isThere("Modules/\($0)") }.map { .byName(name: $0) }
}

for module in references {
  targets.append(
    .target(
      name: module.name, dependencies: dependencies(on: module.imports),
      path: "Modules/\(module.name)", swiftSettings: ours))
}

// The subjects, and the specs that judge them.
for module in modules {
  let subject = answers.isReference ? module.name : "\(module.name)Katas"
  if !answers.isReference {
    let imports = module.imports + (module.katasImportReferences ? [module.name] : [])
    targets.append(
      .target(
        name: subject, dependencies: dependencies(on: imports),
        path: "\(answers.root)/\(module.name)"))
  }
  targets.append(
    .testTarget(
      name: "\(module.name)Tests",
      dependencies: [.byName(name: subject), "KataTesting"]
        + dependencies(
          on: (module.imports + (module.katasImportReferences ? [module.name] : []))
            .filter { $0 != subject }),
      path: "Tests/\(module.name)Tests",
      swiftSettings: ours + (answers.isReference ? [.define("KATA_REFERENCE")] : [])))
}

if hasTools {
  targets += [
    .target(
      name: "KataKit", dependencies: ["KataPictures"], path: "Tools/KataKit",
      exclude: ["Catalogue/Patterns.json", "Catalogue/Pictures.json"],
      swiftSettings: ours),
    .executableTarget(
      name: "kata", dependencies: ["KataKit"], path: "Tools/kata", swiftSettings: ours),
    .testTarget(
      name: "KataTestingTests",
      dependencies: ["KataPictures", "KataSanitizer", "KataTesting"],
      path: "Tests/KataTestingTests",
      swiftSettings: ours),
    .testTarget(
      name: "KataKitTests", dependencies: ["KataKit", "KataPictures", "KataTesting"],
      path: "Tests/KataKitTests",
      swiftSettings: ours),
    .testTarget(
      name: "KataCommandTests", dependencies: ["KataKit", "KataTesting", "kata"],
      path: "Tests/KataCommandTests",
      swiftSettings: ours),
    .testTarget(
      name: "ImagesTests", dependencies: ["Images"], path: "Tests/ImagesTests",
      swiftSettings: ours),
  ].filter { isThere($0.path ?? "") }
}

for target in targets {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("MemberImportVisibility"),
    ]
}

let package = Package(
  name: "ConcurrencyKatas",
  platforms: [.macOS(.v15)],
  products: references.map { .library(name: $0.name, targets: [$0.name]) }
    + (hasTools ? [.executable(name: "kata", targets: ["kata"])] : []),
  targets: targets,
  swiftLanguageModes: [.v6]
)
