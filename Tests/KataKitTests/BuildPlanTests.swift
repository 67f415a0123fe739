import Testing

@testable import KataKit

@Suite struct BuildPlanTests {
  @Test func `what lies downstream of the learner's files is done again, and nothing else`() throws
  {
    let plan = try #require(BuildPlan(Self.text(), room: "/house/Katas"))
    #expect(plan.folders == ["/house/Katas/M/", "/house/Tools/KataTesting/"])
    #expect(plan.compiler == "/swift/usr/bin/swiftc")
    #expect(plan.linking == ["/swift/usr/bin/swiftc", "-o", "/b/P.xctest", "/b/MTests.o"])
    let manifest = plan.manifest(linkingBy: nil)
    for name in ["C.Katas", "C.Tests", "C.Link"] { #expect(manifest.contains("\"\(name)\":")) }
    for name in ["C.KataTesting", "C.Entry", "PackageStructure"] {
      #expect(!manifest.contains("\"\(name)\":"), "\(name) needn't be done again.")
    }
    #expect(!manifest.contains("-parseable-output"))
  }

  @Test func `linking can be said in a shell's words`() throws {
    let plan = try #require(BuildPlan(Self.text(), room: "/house/Katas"))
    let manifest = plan.manifest(linkingBy: "ld 'a \"b\" c.o'")
    #expect(manifest.contains(#"args: ["/bin/sh","-ec","ld 'a \"b\" c.o'"]"#))
    #expect(!manifest.contains(#""-o","/b/P.xctest""#))
  }

  @Test(arguments: ["a-tool-of-tomorrow", ""])
  func `a plan with a command that we don't know is none`(tool: String) {
    #expect(BuildPlan(Self.text(tool: tool), room: "/house/Katas") == nil)
  }

  @Test func `a plan without the learner's files is none`() {
    #expect(BuildPlan(Self.text(), room: "/another/Katas") == nil)
    #expect(BuildPlan("", room: "/house/Katas") == nil)
  }

  @Test func `another text has another fingerprint, and the same text the same`() {
    #expect(Fingerprint(of: "one") == Fingerprint(of: "one"))
    #expect(Fingerprint(of: "one") != Fingerprint(of: "eno"))
    #expect(Fingerprint(of: "") != Fingerprint(of: "\n"))
  }

  /// A plan as SwiftPM writes it, with `tool` for the part that it does itself.
  private static func text(tool: String = "package-structure-tool") -> String {
    """
    client:
      name: basic
    nodes:
      "/house/Katas/M/":
        is-directory-structure: true
      "/house/Tools/KataTesting/":
        is-directory-structure: true
    commands:
      "C.Entry":
        tool: shell
        inputs: ["/b/P.derived/runner.swift","/b/MTests.swiftmodule"]
        outputs: ["/b/runner.o"]
        args: ["/swift/usr/bin/swiftc","-c","/b/P.derived/runner.swift"]

      "C.KataTesting":
        tool: shell
        inputs: ["/house/Tools/KataTesting/Gate.swift"]
        outputs: ["/b/Gate.o"]
        args: ["/swift/usr/bin/swiftc","-c","/house/Tools/KataTesting/Gate.swift"]

      "C.Link":
        tool: shell
        inputs: ["/b/Gate.o","/b/M.o","/b/MTests.o","/b/runner.o"]
        outputs: ["/b/P.xctest"]
        args: ["/swift/usr/bin/swiftc","-o","/b/P.xctest","/b/MTests.o"]

      "C.Tests":
        tool: shell
        inputs: ["/house/Tests/M/KTests.swift","/b/M.swiftmodule"]
        outputs: ["/b/MTests.o","/b/MTests.swiftmodule"]
        args: ["/swift/usr/bin/swiftc","-parseable-output","-c","/house/Tests/M/KTests.swift"]

      "C.Katas":
        tool: shell
        inputs: ["/house/Katas/M/K.swift"]
        outputs: ["/b/M.o","/b/M.swiftmodule"]
        args: ["/swift/usr/bin/swiftc","-parseable-output","-c","/house/Katas/M/K.swift"]

      "PackageStructure":
        tool: \(tool)
        inputs: ["/house/Package.swift"]
        outputs: ["<PackageStructure>"]

    """
  }
}
