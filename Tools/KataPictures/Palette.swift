/// The colours of a picture.
///
/// All text has a contrast of at least 4.5 to its background, and bars and dots at least 3, as WCAG
/// 2.2 requires.
struct Palette {
  /// The colours of a participant.
  struct Shades: Equatable {
    /// A bar: inside once.
    let bar: String
    /// Inside more than once, and the dots of marks.
    let strong: String
  }

  let card: String
  let edge: String
  let grid: String
  let text: String
  /// Less important text, and the lines from marks to their labels.
  let muted: String
  /// Text on a strong shade.
  let onStrong: String
  let shades: [Shades]

  static let light = Palette(
    card: "#FFFFFF", edge: "#D2D2D7", grid: "#ECECF0", text: "#1D1D1F", muted: "#5C5C66",
    onStrong: "#FFFFFF",
    shades: [
      Shades(bar: "#3B82D6", strong: "#174EA6"), Shades(bar: "#C2620E", strong: "#7C3A06"),
      Shades(bar: "#2E8B57", strong: "#14532D"), Shades(bar: "#8E5BD0", strong: "#5B21B6"),
      Shades(bar: "#0E8A8A", strong: "#0B4F55"), Shades(bar: "#D0457F", strong: "#8F1250"),
    ])

  static let dark = Palette(
    card: "#1C1C1E", edge: "#48484A", grid: "#2F2F33", text: "#F5F5F7", muted: "#ABABB3",
    onStrong: "#1C1C1E",
    shades: [
      Shades(bar: "#5B9BF0", strong: "#BCD9FF"), Shades(bar: "#E39A45", strong: "#FFD9A8"),
      Shades(bar: "#55B97D", strong: "#B5EBCB"), Shades(bar: "#AE86EA", strong: "#DCC8FF"),
      Shades(bar: "#3FB3B3", strong: "#AEE9E6"), Shades(bar: "#E8719F", strong: "#FFC4DA"),
    ])

  /// The index in ``shades`` of each participant.
  ///
  /// Participants whose names differ only in a number, such as "reader 1" and "reader 2", have the
  /// same colours. Only the names decide, so that a writer has the same colours in most pictures,
  /// in any order of events.
  static func places(of participants: [String]) -> [String: Int] {
    let count = light.shades.count
    var taken: [String: Int] = [:]
    for role in Set(participants.map(role)).sorted() {
      let hash = role.utf8.reduce(0 as UInt32) { ($0 &* 31) &+ UInt32($1) }
      let wanted = Int(hash % UInt32(count))
      let free = (0..<count).map { (wanted + $0) % count }
        .first { !taken.values.contains($0) }
      taken[role] = free ?? wanted
    }
    return Dictionary(participants.map { ($0, taken[role(of: $0)] ?? 0) }) { first, _ in first }
  }

  /// A name without the number at its end.
  private static func role(of name: String) -> String {
    var role = name[...]
    while role.last?.isNumber == true { role.removeLast() }
    while role.last == " " { role.removeLast() }
    return role.isEmpty ? name : String(role)
  }
}
