// swift-tools-version: 6.3
import PackageDescription

// A package like yours, which tests its code with QuiescenceTesting; the page "Tests without sleep" is
// about it.
let package = Package(
  name: "Uploads",
  platforms: [.macOS(.v15)],
  products: [.library(name: "Uploads", targets: ["Uploads"])],
  dependencies: [
    .package(name: "ConcurrencyKatas", path: "../..")
  ],
  targets: [
    .target(name: "Uploads"),
    .testTarget(
      name: "UploadsTests",
      dependencies: [
        "Uploads", .product(name: "QuiescenceTesting", package: "ConcurrencyKatas"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
