import Foundation
import Testing

@testable import KataKit

@Suite struct HouseTests {
  @Test func `a clone below a linked folder goes by the name that the compiler gives it`() throws {
    try Fixtures.withEmptyRepository { repository in
      try repository.write("", to: "clone/Package.swift")
      let link = repository.url("link")
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: repository.root)
      let linked = Repository(root: link.appending(path: "clone"))
      #expect(linked.root.path == repository.url("clone").path)
      #expect(linked.short("\(repository.root.path)/clone/Katas/A.swift") == "Katas/A.swift")
    }
  }

  @Test func `a clone that isn't there keeps the name that it was given`() {
    #expect(Repository(root: URL(filePath: "/nowhere/../nothing")).root.path == "/nothing")
  }
}
