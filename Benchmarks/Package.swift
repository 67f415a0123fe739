// swift-tools-version: 6.3
import PackageDescription

// A package of its own, so that no learner builds it. It depends only on the references, so it
// builds offline.
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "ConcurrencyKatas", path: "..")
  ],
  targets: [
    .target(name: "Measuring"),
    .executableTarget(
      name: "bench",
      dependencies: ["Measuring"]
        + ["AsyncOperations", "Barriers", "GCDBasics", "GroupsSemaphores", "Operations"].map {
          .product(name: $0, package: "ConcurrencyKatas")
        }),
    .executableTarget(name: "bench-loop", dependencies: ["Measuring"]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings = [
    .treatAllWarnings(as: .error), .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
