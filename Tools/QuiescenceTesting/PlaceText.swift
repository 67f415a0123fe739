import KataPoints

/// A place in compiled code as text: the library's name and the offset in it, for a debugger or a symbolizer.
enum PlaceText {
  /// The text; nil if the place is in no library, such as a made-up place in a test.
  ///
  /// The callers of the place's function follow, as far as they are known and in the same library.
  /// They matter if the compiler has inlined the function, so that its place belongs to no source
  /// line.
  static func text(_ place: UInt, calledFrom callers: [UInt] = []) -> String? {
    guard let (library, own) = offset(of: place) else { return nil }
    let outer = callers.compactMap(offset).filter { $0.library == library }.map(\.offset)
    return "⟨\(library)+\(([own] + outer).joined(separator: ","))⟩"
  }

  private static func offset(of place: UInt) -> (library: String, offset: String)? {
    let found = kata_points_place(place)
    guard place != 0, let path = found.library else { return nil }
    let library = String(cString: path).split(separator: "/").last ?? ""
    return (String(library), "0x\(String(found.offset, radix: 16))")
  }
}

/// Marks an issue as a data race rather than a wrong result.
enum RaceMark {
  static let prefix = "Race: "
}
