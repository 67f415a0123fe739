import Foundation
import Testing

@testable import KataAuthor
@testable import KataKit

@Suite final class LinkCheckTests {
  private let root = FileManager.default.temporaryDirectory
    .appending(path: "link-check-\(UUID().uuidString)")

  deinit { try? FileManager.default.removeItem(at: root) }

  @Test func `a site whose links lead somewhere has none that is dead`() throws {
    try page("a", uses: ["doc://b"], knows: reference("doc://b", "/documentation/b#Overview"))
    try page("b")
    let check = try LinkCheck(root)
    #expect(check.deadLinks.isEmpty)
    #expect(check.pages == 2 && check.links == 1)
  }

  @Test func `a link out of the site is left alone`() throws {
    try page("a", uses: ["x"], knows: reference("x", "https://swift.org", type: "link"))
    #expect(try LinkCheck(root).deadLinks.isEmpty)
  }

  @Test(arguments: [
    ("/documentation/none", "topic", "isn't a page of the site."),
    ("/documentation/a#Nothing", "section", "is a page without that heading."),
    ("barriers", "link", "isn't an address; link to a page with <doc:…>."),
    ("doc:Barriers", "link", "isn't an address; link to a page with <doc:…>."),
    ("/images/none.svg", "image", "isn't in the site."),
  ])
  func `what leads nowhere is named with its page`(address: String, type: String, says: String)
    throws
  {
    try page("a", uses: ["x"], knows: reference("x", address, type: type))
    let dead = try #require(try LinkCheck(root).deadLinks.first)
    #expect(dead.description == "/documentation/a: '\(address)' \(says)")
  }

  @Test func `a link that the page has no address for is dead`() throws {
    try page("a", uses: ["doc://gone"])
    #expect(try LinkCheck(root).deadLinks.map(\.sentence) == ["is linked to, but isn't known."])
  }

  @Test func `an entry of the navigator may not lead nowhere`() throws {
    try page("a")
    try write(
      #"{"interfaceLanguages":{"swift":[{"path":"/documentation/a","children":[{"path":"/documentation/b"}]}]}}"#,
      "index/index.json")
    let dead = try LinkCheck(root).deadLinks
    #expect(dead.map(\.page) == ["the navigator"])
    #expect(dead.map(\.target) == ["/documentation/b"])
  }

  @Test func `an image that is in the site isn't dead`() throws {
    try page("a", uses: ["x"], knows: reference("x", "/images/x.svg", type: "image"))
    try write("<svg/>", "images/x.svg")
    #expect(try LinkCheck(root).deadLinks.isEmpty)
  }

  @Test func `a folder without a site is refused`() {
    let error = #expect(throws: KataError.self) { try LinkCheck(root) }
    #expect(error?.exitCode == .usage)
    #expect(error?.description.contains("build it: 'make docs'") == true)
  }

  // MARK: - Fixtures

  private func reference(_ identifier: String, _ url: String, type: String = "topic") -> String {
    type == "image"
      ? #""\#(identifier)":{"type":"image","variants":[{"url":"\#(url)"}]}"#
      : #""\#(identifier)":{"type":"\#(type)","url":"\#(url)"}"#
  }

  /// Writes a page with a heading, which uses some identifiers and knows some addresses.
  private func page(_ name: String, uses: [String] = [], knows: String = "") throws {
    let content = uses.map { #"{"type":"reference","identifier":"\#($0)"}"# }.joined(separator: ",")
    try write(
      #"{"content":[{"type":"heading","anchor":"Overview"},\#(content.isEmpty ? "{}" : content)],"references":{\#(knows)}}"#,
      "data/documentation/\(name).json")
  }

  private func write(_ text: String, _ path: String) throws {
    let file = root.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }
}
