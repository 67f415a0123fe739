// swift-tools-version: 6.3
import PackageDescription

// The specs judge the learner's answers, in `Katas/`. With KATA_ANSWERS=reference they judge the
// references, in `Modules/`, and the libraries' own tests are built too. KATA_ANSWERS=none builds
// those tests without any spec. KATA_STRICT=1 turns warnings in this project's own code into errors.
// The tools are a package of their own, in `Tools/`.
let answers = Context.environment["KATA_ANSWERS"] ?? ""
let isStrict = Context.environment["KATA_STRICT"] == "1"

/// A module, and the reference modules that it imports.
struct Module {
  let name: String
  let imports: [String]

  init(_ name: String, imports: [String] = []) {
    self.name = name
    self.imports = imports
  }
}

/// The references.
let references: [Module] = [
  Module("Images"),
  Module("GCDBasics"),
  Module("GroupsSemaphores"),
  Module("Barriers"),
  Module("Operations", imports: ["Images"]),
  Module("AsyncOperations", imports: ["Images"]),
  Module("Cancellation", imports: ["AsyncOperations"]),
]

/// The learner's answers, in teaching order. Katas of AsyncOperations build on references of that
/// module.
let katas: [Module] = [
  Module("GCDBasics"),
  Module("GroupsSemaphores"),
  Module("Barriers"),
  Module("Operations", imports: ["Images"]),
  Module("AsyncOperations", imports: ["AsyncOperations", "Images"]),
  Module("Cancellation", imports: ["AsyncOperations"]),
]

func dependencies(_ names: [String]) -> [Target.Dependency] { names.map { .byName(name: $0) } }

// The libraries of the specs.
let inC = ["KataPoints", "KataSanitizer", "KataThreads"]
var targets: [Target] = inC.map { .target(name: $0, path: "Tools/\($0)") }
targets += [
  .target(name: "KataPictures", path: "Tools/KataPictures"),
  .target(
    name: "QuiescenceTesting", dependencies: ["KataPictures", "KataPoints", "KataThreads"],
    path: "Tools/QuiescenceTesting"),
  .target(
    name: "KataTesting", dependencies: ["KataPictures", "KataSanitizer", "QuiescenceTesting"],
    path: "Tools/KataTesting"),
]
targets += references.map { module in
  .target(
    name: module.name, dependencies: dependencies(module.imports), path: "Modules/\(module.name)")
}

/// A module's specs, and what they judge: the references or the learner's answers.
func specs(_ module: Module) -> [Target] {
  let isReference = answers == "reference"
  let subject = isReference ? module.name : "\(module.name)Katas"
  let spec = Target.testTarget(
    name: "\(module.name)Tests",
    dependencies: dependencies(
      ["KataTesting", subject] + module.imports.filter { $0 != subject }),
    path: "Tests/\(module.name)Tests",
    swiftSettings: isReference ? [.define("KATA_REFERENCE")] : [])
  let katas = Target.target(
    name: subject, dependencies: dependencies(module.imports), path: "Katas/\(module.name)")
  return isReference ? [spec] : [katas, spec]
}
if answers != "none" { targets += katas.flatMap(specs) }

// The libraries' own tests.
if !answers.isEmpty {
  targets += [
    .testTarget(
      name: "QuiescenceTestingTests",
      dependencies: ["KataPictures", "KataPoints", "QuiescenceTesting"]),
    .testTarget(name: "KataTestingTests", dependencies: ["KataPictures", "KataTesting"]),
    .testTarget(name: "ImagesTests", dependencies: ["Images"]),
  ]
}

for target in targets {
  // A newer compiler's warning must not fail a learner's build, nor must one in an answer.
  let isOurs = isStrict && !inC.contains(target.name) && !target.name.hasSuffix("Katas")
  target.swiftSettings =
    (target.swiftSettings ?? []) + (isOurs ? [.treatAllWarnings(as: .error)] : []) + [
      .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
    ]
}

let package = Package(
  name: "ConcurrencyKatas",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: (["KataPictures", "KataTesting", "QuiescenceTesting"] + references.map(\.name))
    .map { .library(name: $0, targets: [$0]) },
  targets: targets,
  swiftLanguageModes: [.v6]
)
