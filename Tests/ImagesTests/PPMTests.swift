import Foundation
import Images
import Testing

@Suite struct PPMTests {
  /// Two pixels, of which the first begins with the byte of a "#".
  private let two = RGBImage(rows: [[RGB(35, 0, 10), RGB(255, 32, 13)]])
  private let twoPixels: [UInt8] = [35, 0, 10, 255, 32, 13]

  @Test func `writing gives the shortest header and the pixels`() {
    #expect(two.ppm == Data("P6\n2 1\n255\n".utf8) + Data(twoPixels))
  }

  @Test func `what was written is read again`() throws {
    let town = RGBImage.town(width: 31, height: 17)
    #expect(try RGBImage(ppm: town.ppm) == town)
  }

  @Test(arguments: [
    "P6 2 1 255 ",
    "P6\r\n\t2 \u{0B}\u{0C} 1\n\n255\r",
    "P6\n# made by hand\n2 1\n# another\n255\n",
    "P6#right behind\n\n2#in between\n 1 255\n",
    "P6 2 1 2#in the middle of a number\r55\n",
    // The comment's own line end belongs to it, so one more space ends the header.
    "P6 2 1 255#the last\n\n",
    "P6 002 01 255\n",
  ]) func `spaces and comments are read as the format says`(header: String) throws {
    #expect(try RGBImage(ppm: Data(header.utf8) + Data(twoPixels)) == two)
  }

  @Test func `a part of other bytes is read where it begins`() throws {
    let padded = Data([1, 2, 3]) + two.ppm
    #expect(try RGBImage(ppm: padded.dropFirst(3)) == two)
  }

  @Test(arguments: ["", "P", "P5 2 1 255 ", "p6 2 1 255 ", " P6 2 1 255 ", "P#\n6 2 1 255 "])
  func `other formats are refused`(header: String) {
    #expect(throws: PPMError.wrongMagic) { try read(header) }
  }

  @Test(arguments: [
    "P6", "P62 1 255 ", "P6 ", "P6 2", "P6 2 1 255", "P6 two 1 255 ", "P6 -2 1 255 ",
    "P6 2 1 0xFF ", "P6 2 1.0 255 ", "P6 2 1 255#no end",
  ]) func `a header that isn't one is refused`(header: String) {
    #expect(throws: PPMError.malformedHeader) { try RGBImage(ppm: Data(header.utf8)) }
  }

  @Test(arguments: [
    "P6 0 1 255 ", "P6 2 0 255 ", "P6 65537 1 255 ", "P6 4294967296 4294967296 255 ",
    "P6 99999999999999999999999999 99999999999999999999999999 255 ",
  ]) func `an absurd size is refused`(header: String) {
    #expect(throws: PPMError.absurdSize) { try read(header) }
  }

  @Test(arguments: [0, 1, 254, 256, 65535]) func `another maximum is refused`(maximum: Int) {
    #expect(throws: PPMError.unsupportedMaximum(maximum)) { try read("P6 2 1 \(maximum) ") }
  }

  @Test func `missing pixels are refused before room is made for them`() {
    #expect(throws: PPMError.truncated(expected: 12_884_901_888, found: 6)) {
      try read("P6 65536 65536 255 ")
    }
    #expect(throws: PPMError.truncated(expected: 9, found: 6)) { try read("P6 3 1 255 ") }
    #expect(throws: PPMError.truncated(expected: 6, found: 0)) {
      try RGBImage(ppm: Data("P6 2 1 255 ".utf8))
    }
  }

  @Test func `bytes behind the picture are refused`() {
    #expect(throws: PPMError.trailingBytes(3)) { try read("P6 1 1 255 ") }
    #expect(throws: PPMError.trailingBytes(1)) { try read("P6 2 1 255#the last\n\n\n") }
  }

  @Test func `every error is a sentence`() {
    let errors: [PPMError] = [
      .wrongMagic, .malformedHeader, .absurdSize, .unsupportedMaximum(7),
      .truncated(expected: 2, found: 1), .trailingBytes(3),
    ]
    for error in errors {
      #expect(error.description.first?.isUppercase == true)
      #expect(error.description.last == ".")
    }
  }

  // MARK: - Fixtures

  private func read(_ header: String) throws -> RGBImage {
    try RGBImage(ppm: Data(header.utf8) + Data(twoPixels))
  }
}
