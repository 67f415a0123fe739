import Foundation
import Testing

@testable import KataKit

/// The packages that the runner writes; whole programs' tests build them.
@Suite struct SpecPackageTests {
  private func manifest(
    of module: Module = .barriers, judging answers: SpecPackage.Answers, in repository: Repository
  ) throws -> String {
    let package = SpecPackage(repository, module, files: ["A \"b\".swift"], answers: answers)
    return try String(
      contentsOf: package.write(as: "all").appending(path: "Package.swift"), encoding: .utf8)
  }

  @Test func `what specs judge says what the package has`() throws {
    try Fixtures.withEmptyRepository { repository in
      try repository.write("", to: "Modules/Images/Image.swift")
      let plain = try manifest(of: .operations, judging: .sources, in: repository)
      #expect(plain.contains(#"path: "Katas/Operations""#))
      #expect(
        plain.contains(#"dependencies: [.product(name: "Images", package: "ConcurrencyKatas")]"#))
      #expect(plain.contains(#"sources: ["A \"b\".swift"]"#))
      #expect(!plain.contains("unsafeFlags"))
      let library = try manifest(judging: .library(interface: "/i"), in: repository)
      #expect(!library.contains("Katas/Barriers"))
      #expect(library.contains(#".unsafeFlags(["-I", "/i""#) && library.contains("-lBarriersKatas"))
      #expect(!library.contains(".v5"))
      let app = try manifest(judging: .app(interface: "/i"), in: repository)
      #expect(app.contains(".swiftLanguageMode(.v5)"))
      // Where a function has several closures, Swift 5 passes a trailing one to the last of them.
      #expect(app.contains(#".enableUpcomingFeature("ForwardTrailingClosures")"#))
    }
  }

  @Test func `sources have the paths of the clone, and are known by them`() throws {
    try Fixtures.withEmptyRepository { repository in
      try repository.write("original", to: "Tests/BarriersTests/A.swift")
      try repository.write("copy", to: ".build/copies/A.swift")
      func package(of specs: String?) -> SpecPackage {
        SpecPackage(
          repository, .barriers, files: ["A.swift"], copiedTo: specs,
          answers: .library(interface: "/i"))
      }
      for (specs, text) in [(nil, "original"), (".build/copies", "copy"), (nil, "original")] {
        let file = try package(of: specs).write(as: "PhotoStore-tsan")
          .appending(path: "Tests/BarriersTests/A.swift")
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
        #expect(repository.short(file.path) == "Tests/BarriersTests/A.swift")
      }
    }
  }

  @Test func `the manifest is left alone where it says the same`() throws {
    try Fixtures.withEmptyRepository { repository in
      func mark() throws -> FileStamp? {
        _ = try manifest(judging: .sources, in: repository)
        return FileStamp(repository.url("\(SpecPackage.folder)/all/Package.swift").path)
      }
      let first = try mark()
      #expect(try mark() == first)
    }
  }

  @Test func `a main of its own is there where one is given, and only then`() throws {
    try Fixtures.withEmptyRepository { repository in
      let package = SpecPackage(repository, .barriers, files: ["A.swift"], answers: .sources)
      let main = try package.write(as: "all", entryPoint: "@main").appending(path: "XCTMain.swift")
      #expect(try String(contentsOf: main, encoding: .utf8) == "@main")
      // The other build system finds tests without one.
      _ = try package.write(as: "all")
      #expect(!FileManager.default.fileExists(atPath: main.path))
    }
  }

  @Test func `the clone's own manifest asks for the same features and imports`() throws {
    let text = try Fixtures.repository.text("Package.swift")
    let features = text.matches(of: #/enableUpcomingFeature\("(\w+)"\)/#).map { String($0.1) }
    #expect(features == SpecPackage.features)
    let lines = text.matches(of: #/Module\("(\w+)", imports: \[(.*)\]\)/#)
    for line in lines {
      let module = try #require(Module(rawValue: String(line.1)))
      for name in line.2.split(separator: ", ") {
        #expect(module.imports.contains(String(name.dropFirst().dropLast())), "\(line.0)")
      }
    }
    #expect(lines.count == 6)
  }
}
