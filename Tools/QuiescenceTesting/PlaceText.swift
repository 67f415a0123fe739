import KataPoints

/// A place in compiled code as text: the library's name and the offset in it, for a debugger or a symbolizer.
enum PlaceText {
  /// The text; nil where the place is in no library, as those are that tests make up.
  ///
  /// - Parameter caller: Where its function was called from, if that is known and in the same library: what counts
  ///   where the compiler has put the function there, and its place is on no line of the source.
  static func text(_ place: UInt, calledFrom caller: UInt = 0) -> String? {
    guard let (library, offset) = offset(of: place) else { return nil }
    let outer = Self.offset(of: caller).flatMap { $0.library == library ? ",\($0.offset)" : nil }
    return "⟨\(library)+\(offset)\(outer ?? "")⟩"
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
