import Foundation

/// The timelines of real runs: of the references as they should be, and of mistakes at the moment at
/// which the spec objected.
///
/// They stand in one generated file beside the catalogue. The site does without where it's missing.
struct PictureShelf: Decodable, Equatable {
  /// The generated file, relative to the root of the clone.
  static let path = "Tools/KataKit/Catalogue/Pictures.json"

  /// What was seen of one mistake.
  struct Rejection: Codable, Equatable {
    /// The test that objected.
    var test: String
    /// What it said.
    var says: String
    var events: [String]
  }

  /// The pictures of one kata.
  struct Pictures: Codable, Equatable {
    var tests: [String: [String]] = [:]
    var mistakes: [String: Rejection] = [:]
  }

  private(set) var katas: [String: Pictures]

  init(_ katas: [String: Pictures] = [:]) { self.katas = katas }

  init(from decoder: any Decoder) throws {
    katas = try decoder.singleValueContainer().decode([String: Pictures].self)
  }

  /// The pictures of a clone: none where the file is missing.
  static func read(in house: House) throws -> PictureShelf {
    guard house.exists(path) else { return PictureShelf() }
    do {
      return try JSONDecoder().decode(PictureShelf.self, from: Data(house.text(path).utf8))
    } catch let error as KataError {
      throw error
    } catch {
      throw KataError(
        "\(path) can't be read; restore it with 'git checkout -- \(path)'.", .environment)
    }
  }
}

/// A timeline that a page shows.
struct SitePicture: Equatable {
  /// What a page calls it: "PhotoStore/reads overlap" or "PhotoStore/mistake/no barrier".
  let name: String
  let events: [String]
}

extension PictureShelf {
  /// The picture of a test of the reference.
  func picture(of test: String, in kata: String) -> SitePicture? {
    katas[kata]?.tests[test].flatMap { SitePicture("\(kata)/\(test)", $0) }
  }

  /// The picture of a mistake.
  func picture(ofMistake mistake: String, in kata: String) -> SitePicture? {
    katas[kata]?.mistakes[mistake].flatMap { SitePicture("\(kata)/mistake/\(mistake)", $0.events) }
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
    guard let pictures = katas[kata] else { return [] }
    return pictures.tests.filter { !$0.value.isEmpty }.keys.sorted().map { "\(kata)/\($0)" }
      + pictures.mistakes.filter { !$0.value.events.isEmpty }.keys.sorted()
      .map { "\(kata)/mistake/\($0)" }
  }
}

extension SitePicture {
  /// None where nothing happened.
  fileprivate init?(_ name: String, _ events: [String]) {
    guard !events.isEmpty else { return nil }
    self.init(name: name, events: events)
  }

  /// The picture's file, without scheme and extension: "photostore-mistake-no-barrier".
  ///
  /// Names that differ only in their signs get different files by a number made of the name.
  var file: String {
    let words = name.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let checksum = name.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    return words.joined(separator: "-").prefix(60) + "-" + String(checksum % 46_656, radix: 36)
  }

  /// What happens, in words, for those who don't see it.
  var description: String {
    let words = events.map { event in
      let who = event.dropFirst()
      switch event.first {
      case "+": return "\(who) goes in"
      case "-": return "\(who) comes out"
      default: return String(who).replacing("|", with: ": ")
      }
    }
    let shown = words.prefix(12).joined(separator: ", ")
    return words.count > 12 ? "\(shown), and so on" : shown
  }
}
