// swift-tools-version: 6.3
import PackageDescription

// Without dependencies, so that it runs offline; a package of its own, so that no learner builds it.
let package = Package(
  name: "LoopBenchmark",
  platforms: [.macOS(.v15)],
  targets: [
    .executableTarget(name: "bench-loop", swiftSettings: [.treatAllWarnings(as: .error)])
  ],
  swiftLanguageModes: [.v6]
)
