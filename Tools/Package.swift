// swift-tools-version: 6.3
import Foundation
import PackageDescription

// A package of its own, so that a learner's 'swift test' doesn't build the tools. With
// KATA_STRICT=1 a warning is an error.

/// A product of the katas' package, as a dependency of a target.
func katas(_ product: String) -> Target.Dependency {
  .product(name: product, package: "ConcurrencyKatas")
}

let package = Package(
  name: "Tools",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "ConcurrencyKatas", path: "..")],
  targets: [
    .executableTarget(name: "kata", dependencies: ["KataKit"], path: "kata"),
    .target(name: "KataKit", path: "KataKit"),
    .executableTarget(
      name: "kata-teacher", dependencies: ["KataKit", "KataTeacher"], path: "kata-teacher"),
    .target(
      name: "KataTeacher", dependencies: ["KataKit", katas("KataPictures")], path: "KataTeacher"),
    .executableTarget(
      name: "kata-author", dependencies: ["KataAuthor", "KataKit"], path: "kata-author"),
    .target(
      name: "KataAuthor", dependencies: ["KataKit", "KataTeacher", katas("KataPictures")],
      path: "KataAuthor"),
    .testTarget(
      name: "KataKitTests",
      dependencies: [
        "KataAuthor", "KataKit", "KataTeacher", katas("KataPictures"), katas("KataTesting"),
      ]),
    .testTarget(
      name: "KataCommandTests",
      dependencies: [
        "KataAuthor", "KataKit", "KataTeacher", "kata", "kata-author", "kata-teacher",
        katas("KataTesting"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)

// A handout has neither the authors' tools nor tests.
package.targets.removeAll { target in
  let path = target.path ?? "Tests/\(target.name)"
  return !FileManager.default.fileExists(atPath: "\(Context.packageDirectory)/\(path)")
}

for target in package.targets {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
  ]
  if Context.environment["KATA_STRICT"] == "1" {
    target.swiftSettings?.append(.treatAllWarnings(as: .error))
  }
}
