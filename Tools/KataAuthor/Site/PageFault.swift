/// Something wrong with a page, told so that whoever wrote it can mend it.
struct PageFault: Equatable, CustomStringConvertible {
  /// The file, relative to the folder of pages.
  let page: String
  /// The line, counted from 1, where one is to blame.
  var line: Int?
  let sentence: String

  var description: String { "\(page)\(line.map { ":\($0)" } ?? ""): \(sentence)" }
}
