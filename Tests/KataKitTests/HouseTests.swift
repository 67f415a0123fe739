import Foundation
import Testing

@testable import KataKit

@Suite struct HouseTests {
  @Test func `a clone below a linked folder goes by the name that the compiler gives it`() throws {
    try Fixtures.withEmptyHouse { house in
      try house.write("", to: "clone/Package.swift")
      let link = house.url("link")
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: house.root)
      let linked = House(root: link.appending(path: "clone"))
      #expect(linked.root.path == house.url("clone").path)
      #expect(linked.short("\(house.root.path)/clone/Katas/A.swift") == "Katas/A.swift")
    }
  }

  @Test func `a clone that isn't there keeps the name that it was given`() {
    #expect(House(root: URL(filePath: "/nowhere/../nothing")).root.path == "/nothing")
  }
}
