import Foundation
import KataKit

/// Checks a site that DocC has built for dead links and missing pictures.
///
/// DocC warns of links that it can't resolve. It doesn't check links that it takes for addresses,
/// headings of other archives, or links that merging archives has broken.
struct LinkCheck {
  /// A dead link.
  struct DeadLink: Hashable, CustomStringConvertible {
    /// The page's path in the site.
    let page: String
    let target: String
    let sentence: String

    var description: String { "\(page): '\(target)' \(sentence)" }
  }

  private(set) var deadLinks: [DeadLink] = []
  /// How many pages and links were checked.
  private(set) var pages = 0
  private(set) var links = 0

  private let root: URL
  /// The headings of each page, by the page's path.
  private var anchors: [String: Set<String>] = [:]

  /// Checks the site in a folder.
  init(_ root: URL) throws {
    self.root = root
    let data = root.appending(path: "data").resolvingSymlinksInPath()
    guard let files = FileManager.default.enumerator(at: data, includingPropertiesForKeys: nil)
    else {
      throw KataError("There is no built site in '\(root.path)'; build it: 'make docs'.", .usage)
    }
    var nodes: [(path: String, node: RenderNode)] = []
    for case let file as URL in files where file.pathExtension == "json" {
      let path = file.resolvingSymlinksInPath().deletingPathExtension().path
        .dropFirst(data.path.count)
      let content = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
      let node = RenderNode(content)
      anchors[path.lowercased()] = node.anchors
      nodes.append((String(path), node))
    }
    guard !nodes.isEmpty else {
      throw KataError("There is no built site in '\(root.path)'; build it: 'make docs'.", .usage)
    }
    pages = nodes.count
    for (path, node) in nodes.sorted(by: { $0.path < $1.path }) { look(at: node, path) }
    try lookAtNavigator()
  }

  private mutating func look(at node: RenderNode, _ page: String) {
    for identifier in node.used.sorted() where node.targets[identifier] == nil {
      deadLinks.append(
        DeadLink(page: page, target: identifier, sentence: "is linked to, but isn't known."))
    }
    for (identifier, target) in node.targets.sorted(by: { $0.key < $1.key }) {
      // References that no text of the page uses are only stored by DocC.
      guard node.used.contains(identifier) else { continue }
      links += target.addresses.count
      for address in target.addresses {
        if let sentence = fault(of: address, isPage: target.isPage) {
          deadLinks.append(DeadLink(page: page, target: address, sentence: sentence))
        }
      }
    }
  }

  /// What is wrong with an address; nil if it exists, or is outside the site.
  private func fault(of address: String, isPage: Bool) -> String? {
    if address.contains(#/^(https?|mailto):/#) { return nil }
    guard address.hasPrefix("/") || !isPage else {
      return "isn't an address; link to a page with <doc:…>."
    }
    let parts = address.split(separator: "#", maxSplits: 1).map(String.init)
    let path = parts.first ?? "/"
    guard isPage || path.hasPrefix("/documentation") || path.hasPrefix("/tutorials") else {
      let file = root.appending(path: String(path.drop { $0 == "/" }))
      return FileManager.default.fileExists(atPath: file.path) ? nil : "isn't in the site."
    }
    guard let headings = anchors[path.lowercased()] else { return "isn't a page of the site." }
    guard parts.count > 1 else { return nil }
    let heading = parts[1].removingPercentEncoding ?? parts[1]
    return headings.contains(heading) ? nil : "is a page without that heading."
  }

  /// Checks the navigator beside every page.
  private mutating func lookAtNavigator() throws {
    let file = root.appending(path: "index/index.json")
    guard let data = try? Data(contentsOf: file) else { return }
    var rest = [try JSONSerialization.jsonObject(with: data)]
    while let content = rest.popLast() {
      if let list = content as? [Any] { rest += list }
      guard let entry = content as? [String: Any] else { continue }
      rest += entry.values
      guard let path = entry["path"] as? String else { continue }
      links += 1
      if let sentence = fault(of: path, isPage: true) {
        deadLinks.append(DeadLink(page: "the navigator", target: path, sentence: sentence))
      }
    }
  }
}

/// The references of a page in a built site.
private struct RenderNode {
  /// The target of a reference.
  struct Target {
    let addresses: [String]
    let isPage: Bool
  }

  /// The addresses in the page's list of references, by identifier.
  private(set) var targets: [String: Target] = [:]
  /// The identifiers that the page's contents use.
  private(set) var used: Set<String> = []
  /// The page's headings.
  private(set) var anchors: Set<String> = []

  init(_ content: Any) {
    guard var page = content as? [String: Any] else { return }
    let references = page.removeValue(forKey: "references") as? [String: [String: Any]] ?? [:]
    for (identifier, reference) in references { targets[identifier] = Self.target(reference) }
    walk(page)
  }

  private static func target(_ reference: [String: Any]) -> Target {
    let variants = reference["variants"] as? [[String: Any]] ?? []
    let addresses = variants.compactMap { $0["url"] as? String }
    let own = (reference["url"] as? String).map { [$0] } ?? []
    let type = reference["type"] as? String ?? ""
    // A type of another library, such as Sendable, is only named.
    if type == "unresolvable" { return Target(addresses: [], isPage: true) }
    return Target(
      addresses: addresses + own, isPage: ["topic", "section", "link", "pageLink"].contains(type))
  }

  private mutating func walk(_ content: Any) {
    if let list = content as? [Any] {
      for item in list { walk(item) }
    } else if let entry = content as? [String: Any] {
      if let anchor = entry["anchor"] as? String { anchors.insert(anchor) }
      let type = entry["type"] as? String
      if ["reference", "image", "video", "link"].contains(type),
        let identifier = entry["identifier"] as? String
      {
        used.insert(identifier)
      }
      for identifier in entry["identifiers"] as? [String] ?? [] { used.insert(identifier) }
      if type == "links", let items = entry["items"] as? [String] { used.formUnion(items) }
      for value in entry.values { walk(value) }
    }
  }
}
