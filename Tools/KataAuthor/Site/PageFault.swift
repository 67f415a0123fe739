/// An error in a page, with enough detail for its author to fix it.
struct PageFault: Equatable, CustomStringConvertible {
  /// The file, relative to the folder of pages.
  let page: String
  /// The line, from 1, if there is one.
  var line: Int?
  let sentence: String

  var description: String { "\(page)\(line.map { ":\($0)" } ?? ""): \(sentence)" }
}
