import KataPoints

/// A place in compiled code as text: the library's name and the offset in it, for a debugger or a symbolizer.
enum PlaceText {
  /// The text; nil where the place is in no library, as those are that tests make up.
  static func text(_ place: UInt) -> String? {
    let found = kata_points_place(place)
    guard let path = found.library else { return nil }
    let library = String(cString: path).split(separator: "/").last ?? ""
    return "⟨\(library)+0x\(String(found.offset, radix: 16))⟩"
  }
}

/// Marks an issue as a data race rather than a wrong result.
enum RaceMark {
  static let prefix = "Race: "
}
