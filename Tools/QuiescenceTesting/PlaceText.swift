import KataPoints

/// A place in compiled code as text: the library's name and the offset in it, for a debugger or a symbolizer.
enum PlaceText {
  /// The text; nil where the place is in no library, as those are that tests make up.
  ///
  /// Behind the place stand the callers of its function, as far as they are known and in the same library: for where
  /// the compiler has put the function there, and its place is on no line of the source.
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
