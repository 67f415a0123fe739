// swift-tools-version: 6.3
import Foundation
import PackageDescription

// Six environment variables choose what is built; unset, the specs judge the learner's `Katas/`.
//
//   KATA_ANSWERS     reference   the specs import the reference modules; the tools are built and tested
//   KATA_MODULE      <module>    only this module's targets and what they need
//                    KataTesting what specs are made of alone, with its tests
//                    Tools       only the tools
//                    Units       with the references: all but the tools' programs and the tests that start them
//   KATA_INTERFACE   <folder>    the specs alone, against the interface of answers that lies there;
//                                the answers are libraries, which `kata` hands over at the start
//   KATA_SPECS       <files>     of the module's specs these alone, with commas between
//   KATA_APP         <folder>    with KATA_INTERFACE: the answers are an app's code, which needn't be public
//                                nor know Swift 6; the specs are copies that lie there
//   KATA_STRICT      1           a warning in our own code is an error; what the specs say of an app's isn't

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

/// Whether a folder is there: a handout has only the folders of its katas.
func isThere(_ folder: String) -> Bool {
  FileManager.default.fileExists(atPath: "\(Context.packageDirectory)/\(folder)")
}

func refuse(_ sentence: String) -> Never {
  FileHandle.standardError.write(Data("error: \(sentence)\n".utf8))
  exit(1)
}

/// A variable of the environment; nil where it's unset or empty.
func variable(_ name: String) -> String? {
  Context.environment[name].flatMap { $0.isEmpty ? nil : $0 }
}

func modulesFromEnvironment() -> [Module] {
  let present = curriculum.filter { isThere("Katas/\($0.name)") }
  guard let name = variable("KATA_MODULE"), name != "Units" else { return present }
  if ["KataTesting", "Tools"].contains(name) { return [] }
  guard let module = present.first(where: { $0.name == name }) else {
    let names = present.map(\.name).joined(separator: ", ")
    refuse("KATA_MODULE is '\(name)', which is not a module; the modules are \(names).")
  }
  return [module]
}

/// What a folder of specs holds for the runner, and the compiler doesn't need, by kata.
func dataOfKatas(in folder: String) -> [String] {
  let names =
    (try? FileManager.default.contentsOfDirectory(
      atPath: "\(Context.packageDirectory)/\(folder)")) ?? []
  return names.sorted().flatMap { kata in
    ["Answers", "Kata.md", "Patterns.json", "Pictures.json"].map { "\(kata)/\($0)" }
  }.filter { isThere("\(folder)/\($0)") }
}

let modules = modulesFromEnvironment()
let interface = variable("KATA_INTERFACE")
let app = interface == nil ? nil : variable("KATA_APP")
let isReference = variable("KATA_ANSWERS") == "reference"
if let answers = variable("KATA_ANSWERS"), !isReference {
  refuse("KATA_ANSWERS is '\(answers)'; give 'reference', or leave it unset for your own answers.")
}
if isReference, let module = modules.first(where: { !isThere("Modules/\($0.name)") }) {
  refuse("KATA_ANSWERS is 'reference', and the references of \(module.name) aren't here.")
}

/// A newer compiler's new warning keeps nobody's machine from building; the checks of this project
/// ask for none at all.
let ours: [SwiftSetting] = variable("KATA_STRICT") == nil ? [] : [.treatAllWarnings(as: .error)]

var targets: [Target] = [
  .target(name: "KataPictures", path: "Tools/KataPictures", swiftSettings: ours),
  .target(name: "KataSanitizer", path: "Tools/KataSanitizer"),
  .target(name: "KataPoints", path: "Tools/KataPoints"),
  .target(name: "KataThreads", path: "Tools/KataThreads"),
  .target(
    name: "QuiescenceTesting",
    dependencies: ["KataPictures", "KataPoints", "KataSanitizer", "KataThreads"],
    path: "Tools/QuiescenceTesting", swiftSettings: ours),
  .target(
    name: "KataTesting", dependencies: ["QuiescenceTesting"], path: "Tools/KataTesting",
    swiftSettings: ours),
]

/// Whether the tools' programs are left out, and the tests that start them: 'make test' needs neither.
let isUnitsAlone = variable("KATA_MODULE") == "Units"
/// Whether the references and the tools are built, with their tests: a learner's 'swift test' does without.
let isComplete = isReference && (variable("KATA_MODULE") == nil || isUnitsAlone)

// The references: all of them, for other packages may depend on them, or those that one module needs.
var needed = Set(modules.flatMap(\.imports))
if isReference || variable("KATA_MODULE") == nil { needed.formUnion(modules.map(\.name)) }
needed.formUnion(modules.filter(\.katasImportReferences).map(\.name))
let references = curriculum.filter { needed.contains($0.name) && isThere("Modules/\($0.name)") }
if isThere("Modules/Images"),
  isComplete || (modules + references).contains(where: { $0.imports.contains("Images") })
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
  let subject = isReference ? module.name : "\(module.name)Katas"
  let imports = module.imports + (module.katasImportReferences ? [module.name] : [])
  if !isReference, interface == nil {
    targets.append(
      .target(
        name: subject, dependencies: dependencies(on: imports), path: "Katas/\(module.name)"))
  }
  let spec = Target.testTarget(
    name: "\(module.name)Tests",
    dependencies: ["KataTesting"] + dependencies(on: imports.filter { $0 != subject }),
    path: app ?? "Tests/\(module.name)Tests",
    exclude: app == nil ? dataOfKatas(in: "Tests/\(module.name)Tests") : [],
    sources: variable("KATA_SPECS")?.split(separator: ",").map(String.init),
    packageAccess: interface == nil,
    swiftSettings: (app == nil ? ours : []) + (isReference ? [.define("KATA_REFERENCE")] : []))
  if let interface {
    // An answer is a library that bears the stub's name. Of the package that both say they belong
    // to nothing else is used.
    spec.swiftSettings?.append(
      .unsafeFlags(["-I", interface, "-package-name", "ConcurrencyKatas"]))
    if app != nil {
      let seen = ["-testable-import-module", subject]
      spec.swiftSettings? += [
        .swiftLanguageMode(.v5), .unsafeFlags(seen.flatMap { ["-Xfrontend", $0] }),
      ]
    }
    // What an answer builds on it finds in the spec's program, which looks at its start whether the
    // answer has all that it must.
    spec.linkerSettings = [
      .unsafeFlags(["-L", interface, "-l\(subject)"]),
      .unsafeFlags(
        ["-Xlinker", "--export-dynamic", "-Xlinker", "-z", "-Xlinker", "now"],
        .when(platforms: [.linux])),
    ]
  } else {
    spec.dependencies.append(.byName(name: subject))
  }
  targets.append(spec)
}

if isComplete || variable("KATA_MODULE") == "KataTesting", isThere("Tests/KataTestingTests") {
  targets += [
    .testTarget(
      name: "QuiescenceTestingTests",
      dependencies: [
        "KataPictures", "KataPoints", "KataSanitizer", "KataTesting", "QuiescenceTesting",
      ],
      path: "Tests/QuiescenceTestingTests", swiftSettings: ours),
    .testTarget(
      name: "KataTestingTests", dependencies: ["KataPictures", "KataTesting"],
      path: "Tests/KataTestingTests", swiftSettings: ours),
  ]
}

// One program for learners, and for authors and instructors one each over the same core; a handout lacks
// the authors'.
let hasTools = isComplete || variable("KATA_MODULE") == "Tools"
let tools = ["kata": "KataKit", "kata-author": "KataAuthor", "kata-teacher": "KataTeacher"]
  .filter { hasTools && isThere("Tools/\($0.key)") }.sorted { $0.key < $1.key }
let programs = isUnitsAlone ? [] : tools
targets += tools.map { _, library in
  .target(
    name: library,
    dependencies: library == "KataKit"
      ? []
      : ["KataKit", "KataPictures"]
        + (library == "KataAuthor" ? ["KataTeacher"] : []),
    path: "Tools/\(library)", swiftSettings: ours)
}
targets += programs.map { program, library in
  .executableTarget(
    name: program,
    dependencies: [.byName(name: library)] + (library == "KataKit" ? [] : ["KataKit"]),
    path: "Tools/\(program)", swiftSettings: ours)
}
if isComplete {
  targets += [
    .testTarget(
      name: "KataKitTests",
      dependencies: [
        "KataAuthor", "KataKit", "KataPictures", "KataTeacher", "KataTesting",
      ],
      path: "Tests/KataKitTests",
      swiftSettings: ours),
    .testTarget(
      name: "ImagesTests", dependencies: ["Images"], path: "Tests/ImagesTests",
      swiftSettings: ours),
  ].filter { isThere($0.path ?? "") }
}
if isComplete, !isUnitsAlone, isThere("Tests/KataCommandTests") {
  targets.append(
    .testTarget(
      name: "KataCommandTests",
      dependencies: [
        "KataAuthor", "KataKit", "KataTeacher", "KataTesting", "kata", "kata-author",
        "kata-teacher",
      ],
      path: "Tests/KataCommandTests",
      swiftSettings: ours))
}

for target in targets {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny")
    ]
    + (app != nil ? [] : [.enableUpcomingFeature("MemberImportVisibility")])
}

let package = Package(
  name: "ConcurrencyKatas",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [.library(name: "QuiescenceTesting", targets: ["QuiescenceTesting"])]
    + references.map { .library(name: $0.name, targets: [$0.name]) }
    + programs.map { .executable(name: $0.key, targets: [$0.key]) },
  targets: targets,
  swiftLanguageModes: [.v6]
)
