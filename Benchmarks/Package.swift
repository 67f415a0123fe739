// swift-tools-version: 6.3
import PackageDescription

// A package of its own, so that no learner ever builds the benchmark library.
let package = Package(
  name: "ConcurrencyKatasBenchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "ConcurrencyKatas", path: ".."),
    .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.0", traits: []),
  ],
  targets: [
    .executableTarget(
      name: "References",
      dependencies: [
        .product(name: "Benchmark", package: "benchmark"),
        .product(name: "Barriers", package: "ConcurrencyKatas"),
        .product(name: "GCDBasics", package: "ConcurrencyKatas"),
      ],
      path: "Benchmarks/References",
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")])
  ],
  swiftLanguageModes: [.v6]
)
