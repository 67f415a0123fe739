import KataKit
import KataPictures

/// The pictures of all pages: each is drawn once, light and dark, even if several pages show it.
struct SitePictures {
  let book: PictureBook
  /// The pictures that a page shows, by file.
  private(set) var shown: [String: SitePicture] = [:]

  init(_ book: PictureBook) { self.book = book }

  /// A picture with its caption, as a DocC directive.
  mutating func image(of picture: SitePicture, caption: String) -> String {
    shown[picture.file] = picture
    let alternative = Prose.argument("\(caption): \(picture.events.words)")
    return """
      @Image(source: "\(picture.file)", alt: "\(alternative)") {
        \(Prose(caption).markdown)
      }
      """
  }

  /// Replaces the lines of a page that ask for a picture.
  ///
  /// A picture that hasn't been taken yet is left out; one that can't exist is a fault.
  mutating func resolve(in page: inout HandWrittenPage, of katas: [KataFacts]) -> [PageFault] {
    var faults: [PageFault] = []
    for (index, line) in page.proseLines {
      guard line.contains("](picture:") else { continue }
      guard let (caption, name) = HandWrittenPage.pictureAsked(in: line) else {
        faults.append(
          PageFault(
            page: page.file, line: index + 1,
            sentence: "A picture needs a line of its own: ![caption](picture:Kata/test)."))
        continue
      }
      if let picture = book.picture(named: name) {
        let margin = line.prefix { $0 == " " }.count
        let image = image(of: picture, caption: caption).indented(by: margin)
        page.replaceLine(index, with: image)
      } else if let sentence = fault(of: name, katas) {
        faults.append(PageFault(page: page.file, line: index + 1, sentence: sentence))
      } else {
        page.replaceLine(index, with: "")
      }
    }
    return faults
  }

  /// Why there can't be a picture with this name; nil if it only hasn't been taken.
  private func fault(of name: String, _ katas: [KataFacts]) -> String? {
    let wrong = "There is no picture '\(name)'"
    let kata = name.prefix { $0 != "/" }
    guard let facts = katas.first(where: { $0.kata.name == kata }) else {
      let nearest = EditDistance.nearest(to: String(kata), among: katas.map(\.kata.name))
      return "\(wrong), nor a kata '\(kata)'" + (nearest.map { "; did you mean \($0)?" } ?? ".")
    }
    let taken = book.names(in: facts.kata.name)
    let possible = facts.pictureNames
    if possible.contains(name) {
      return taken.isEmpty
        ? nil
        : "\(wrong) yet; 'make verify KATA=\(kata)' takes it where the test has a timeline."
    }
    let names = (taken.isEmpty ? possible : taken).map { "'\($0)'" }.joined(separator: ", ")
    return "\(wrong); there is \(names.isEmpty ? "none of this kata" : names)."
  }
}
