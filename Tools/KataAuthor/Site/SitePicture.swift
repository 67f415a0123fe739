import KataPictures

/// A timeline that a page shows.
struct SitePicture: Equatable {
  /// Its name in pages: "PhotoStore/reads overlap" or "PhotoStore/mistake/no barrier".
  let name: String
  let events: [TimelineEvent]

  init(name: String, events: [TimelineEvent]) {
    self.name = name
    self.events = events
  }

  /// Nil if there are no events.
  fileprivate init?(_ name: String, _ events: [TimelineEvent]?) {
    guard let events, !events.isEmpty else { return nil }
    self.init(name: name, events: events)
  }

  /// The picture's file, without scheme and extension: "photostore-mistake-no-barrier-1x4".
  ///
  /// A hash of the name keeps the files of similar names apart.
  var file: String {
    let words = name.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let checksum = name.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    return words.joined(separator: "-").prefix(60) + "-" + String(checksum % 46_656, radix: 36)
  }

  /// The picture as an SVG document for this background.
  func drawing(_ scheme: TimelineSVG.Scheme) -> String {
    TimelineSVG(events: events, title: name, scheme: scheme).text
  }
}

extension PictureBook {
  /// The picture of a test of the reference.
  func picture(of test: String, in kata: String) -> SitePicture? {
    SitePicture("\(kata)/\(test)", events(of: test, in: kata))
  }

  /// The picture of a mistake.
  func picture(ofMistake mistake: String, in kata: String) -> SitePicture? {
    SitePicture("\(kata)/mistake/\(mistake)", objection(to: mistake, in: kata)?.events)
  }

  /// The picture that a page asks for by name.
  func picture(named name: String) -> SitePicture? {
    let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return nil }
    let mistake = parts[1].hasPrefix("mistake/") ? parts[1].dropFirst("mistake/".count) : nil
    return mistake.map { picture(ofMistake: String($0), in: parts[0]) }
      ?? picture(of: parts[1], in: parts[0])
  }

  /// The names of a kata's pictures.
  func names(in kata: String) -> [String] {
    guard let page = pages[kata] else { return [] }
    return page.tests.filter { !$0.value.isEmpty }.keys.sorted().map { "\(kata)/\($0)" }
      + page.mistakes.filter { $0.value.events != nil }.keys.sorted()
      .map { "\(kata)/mistake/\($0)" }
  }
}
