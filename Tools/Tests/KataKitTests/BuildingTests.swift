import Foundation
import Testing

@testable import KataKit

@Suite struct ToolchainTests {
  @Test(arguments: [
    ("Swift version 6.3.1 (swift-6.3.1-RELEASE)\nTarget: x86_64", Toolchain.BuildSystem.native),
    ("swift-driver version: 1.148 Apple Swift version 6.4 (swiftlang-6.4.0.1)", .swiftBuild),
    ("Swift version 6.10-dev", .swiftBuild), ("Swift version 7.0", .swiftBuild),
    ("Swift version 5.10", .native), ("something else", .native),
  ])
  func `the build system is the version's own`(text: String, system: Toolchain.BuildSystem) {
    #expect(Toolchain.defaultBuildSystem(ofVersion: Toolchain.version(in: text)) == system)
  }

  @Test func `this toolchain has a version and an identity`() throws {
    let toolchain = try Toolchain(for: Fixtures.repository)
    #expect(Toolchain.version(of: toolchain.swift) != nil)
    #expect(try Toolchain(for: Fixtures.repository).identity == toolchain.identity)
  }

  @Test func `the loader's refusal is reported from what an answer prints`() {
    #if canImport(Darwin)
      let refusal = "dyld[77]: Symbol not found: _$s13BarriersKatas10PhotoStoreC3addyyF"
    #else
      let refusal = "tests: symbol lookup error: tests: undefined symbol: $s13BarriersKatas10Photo"
    #endif
    #expect(Toolchain.isLoadersRefusal(refusal))
    #expect(!Toolchain.isLoadersRefusal("Fatal error: no symbol"))
  }

  @Test func `a program that crashes is called once more, and no oftener`() throws {
    func calls(crashingUpTo count: Int) throws -> (ending: ChildProcess.Ending, calls: String) {
      try Fixtures.withEmptyRepository { repository in
        let script = "echo x >> calls; [ $(wc -l < calls) -gt \(count) ] || kill -SEGV $$"
        let result = try Command("/bin/sh", ["-c", script]).run(in: repository.root)
        return (result.ending, try repository.text("calls").replacing("\n", with: ""))
      }
    }
    #expect(try calls(crashingUpTo: 0) == (.exited(0), "x"))
    #expect(try calls(crashingUpTo: 1) == (.exited(0), "xx"))
    #expect(try calls(crashingUpTo: 9) == (.killed(signal: SIGSEGV), "xx"))
  }

  @Test func `a crash is named by its reason and not by the end of what it printed`() {
    let log = """
      [2/9] Compiling
      *** Program crashed: Bad pointer dereference at 0xffff8044a1a74710 ***

      Backtrace took 0.01s
      """
    let error = KataError.building(log, below: Fixtures.repository)
    #expect("\(error)".contains("Bad pointer dereference"))
    #expect(!"\(error)".contains("Backtrace took"))
  }
}

@Suite struct AnswerRecipeTests {
  @Test func `a command line is split as a shell does`() {
    let line = #"/bin/swift-frontend -c '/tmp/a b/it'\\''s.swift' "x y" a\\ b @/tmp/list ''"#
      .replacing(#"\\"#, with: #"\"#)
    #expect(
      AnswerRecipe.words(in: line) == [
        "/bin/swift-frontend", "-c", "/tmp/a b/it's.swift", "x y", "a b", "@/tmp/list", "",
      ])
  }

  private func files(in folder: String) -> AnswerRecipe.Files {
    AnswerRecipe.Files(
      source: "\(folder)/a.swift", object: "\(folder)/a.o", interface: "\(folder)/a.interface",
      library: "\(folder)/a.so")
  }

  @Test func `another answer takes the places of the one that the driver was asked about`() throws {
    let recipe = try #require(
      AnswerRecipe(
        of: files(in: "/r"),
        jobs: [
          "/bin/frontend -c /r/a.swift -emit-module-interface-path /r/a.interface -o /r/a.o",
          """
          /bin/extract /r/a.o /s/One.o /s/Two.o -o /tmp/TemporaryDirectory.x/list
          /bin/clang /r/a.o /s/One.o /s/Two.o @/tmp/TemporaryDirectory.x/list -o /r/a.so
          """,
        ]))
    let lines = recipe.commands(for: files(in: "/t"), without: "/s/One.o")
      .map { ([$0.executable] + $0.arguments).joined(separator: " ") }
    #expect(
      lines == [
        "/bin/frontend -c /t/a.swift -emit-module-interface-path /t/a.interface -o /t/a.o",
        "/bin/extract /t/a.o /s/Two.o -o /t/list",
        "/bin/clang /t/a.o /s/Two.o @/t/list -o /t/a.so",
      ])
  }

  @Test func `what isn't known is no recipe`() {
    #expect(AnswerRecipe(of: files(in: "/r"), jobs: ["", ""]) == nil)
    #expect(AnswerRecipe(of: files(in: "/r"), jobs: ["swift-frontend -c", "ld"]) == nil)
  }
}

@Suite struct WorkspaceSnapshotTests {
  @Test func `a program's part is what its module is built from`() throws {
    let part = WorkspaceSnapshot(of: Fixtures.repository).part(for: .cancellation)
    for path in [
      "Package.swift", "Tools/QuiescenceTesting/Quiet.swift",
      "Modules/AsyncOperations/FinishOnce.swift",
      "Tests/CancellationTests/CancelRace/CancelRaceTests.swift",
      "Tests/Gallery/Cancellation/CancelRace/Answers/Stub.swift",
    ] { #expect(part[path] != nil, "\(path)") }
    for path in [
      "Tools/KataKit/Running/Judge.swift", "Modules/Barriers/PhotoStore.swift",
      "Tests/BarriersTests/PhotoStore/PhotoStoreTests.swift",
      "Tests/Gallery/Cancellation/CancelRace/Answers/SerialQueue.swift",
      "Tools/Tests/KataKitTests/BuildingTests.swift",
      "Katas/Cancellation/CancelRace.swift",
    ] { #expect(part[path] == nil, "\(path)") }
  }

  @Test func `every module's imports are those of the manifest`() throws {
    // The manifest can't be asked in Swift; what answers import says the same.
    for kata in Catalogue.katas {
      let texts = try [
        Fixtures.repository.stubPath(of: kata), Fixtures.repository.referencePath(of: kata),
      ]
      .map { try Fixtures.repository.text($0) }
      for name in ["Images", "AsyncOperations"] where kata.module.rawValue != name {
        guard texts.contains(where: { $0.contains("\nimport \(name)\n") }) else { continue }
        #expect(kata.module.imports.contains(name), "\(kata.name)")
      }
    }
  }
}

@Suite struct ContentHashTests {
  @Test func `where one text ends is part of the number`() {
    #expect(ContentHash(of: ["ab", "c"]) != ContentHash(of: ["a", "bc"]))
    #expect(ContentHash(of: ["a", ""]) != ContentHash(of: ["a"]))
    #expect(ContentHash(of: "a") == ContentHash(of: ["a"]))
  }
}
