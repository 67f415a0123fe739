import Foundation

@testable import KataKit

/// A package laid out as ours, with one kata and one test, which builds in seconds.
final class SmallHouse {
  let house: House
  let kata: Kata
  let plain: SwiftBuild.Request

  init() throws {
    let root = FileManager.default.temporaryDirectory
      .appending(path: "katas small 🧵 \(UUID().uuidString)").resolvingSymlinksInPath()
    house = House(root: root)
    kata = try Catalogue.kata(named: "SerialLog")
    plain = Judge.plainBuild(of: kata)
    try house.write(Self.manifest, to: "Package.swift")
    try house.write(
      """
      import GCDBasicsKatas
      import Testing

      @Test func `there is an answer`() { #expect(answer().isEmpty == false) }
      """, to: "Tests/GCDBasicsTests/SerialLogTests.swift")
    try answer("answer 1")
  }

  deinit {
    try? FileManager.default.removeItem(at: house.root)
  }

  /// Saves an answer that returns `text`.
  func answer(_ text: String) throws {
    try house.write(
      "public func answer() -> String { \"\(text), a text that is kept in the program\" }\n",
      to: house.learnerPath(of: kata))
  }

  /// Builds, and returns what the compiler says if it refuses.
  func build() throws -> [CompilerMessage] {
    switch try SwiftBuild(house: house).run(plain) {
    case .built: []
    case .refused(let messages): messages
    case .stopped: throw KataError("The build was stopped.", .notDone)
    }
  }

  /// Whether the next build is by the plan that SwiftPM has left.
  var isPlanned: Bool { PlannedBuild(house: house, request: plain).command() != nil }

  /// Whether `text` is in the program that was built.
  func programContains(_ text: String, in scratch: String? = nil) throws -> Bool {
    let program = "\(scratch ?? plain.scratch)/debug/ConcurrencyKatasPackageTests.xctest"
    return try Data(contentsOf: house.url(program), options: .mappedIfSafe)
      .range(of: Data(text.utf8)) != nil
  }

  private static let manifest = """
    // swift-tools-version: 6.2
    import PackageDescription

    let package = Package(
      name: "ConcurrencyKatas",
      platforms: [.macOS(.v15)],
      targets: [
        .target(name: "GCDBasicsKatas", path: "Katas/GCDBasics"),
        .testTarget(
          name: "GCDBasicsTests", dependencies: ["GCDBasicsKatas"], path: "Tests/GCDBasicsTests"),
      ])
    """
}
