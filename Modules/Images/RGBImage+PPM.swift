import Foundation

/// The reason why ``RGBImage/init(ppm:)`` can't read a picture.
public enum PPMError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The bytes don't begin with "P6".
  case wrongMagic
  /// The header contains something that isn't a number, or ends too early.
  case malformedHeader
  /// A side is 0, or longer than ``RGBImage/longestSide``.
  case absurdSize
  /// The largest value of a channel is this, not 255.
  case unsupportedMaximum(Int)
  /// There are fewer bytes of pixels than the header promises.
  case truncated(expected: Int, found: Int)
  /// This many bytes follow the last pixel.
  case trailingBytes(Int)

  /// The error in one sentence.
  public var description: String {
    switch self {
    case .wrongMagic:
      "This isn't a binary PPM picture: it doesn't begin with \"P6\"."
    case .malformedHeader:
      "The header must hold width, height and maximum as decimal numbers, and it doesn't."
    case .absurdSize:
      "Width and height must be from 1 to \(RGBImage.longestSide) pixels, and one of them isn't."
    case .unsupportedMaximum(let maximum):
      "The largest value of a channel must be 255, and the header says \(maximum)."
    case .truncated(let expected, let found):
      "The header promises \(expected) bytes of pixels, but only \(found) follow."
    case .trailingBytes(let count):
      "The picture is complete, but more bytes follow it: \(count)."
    }
  }
}

extension RGBImage {
  /// The longest side of a picture that is read from a file.
  public static let longestSide = 65_536

  /// Reads one binary PPM picture ("P6", eight bits a channel).
  ///
  /// Nothing is allocated for pixels that aren't there, whatever size the header claims.
  ///
  /// Source: the Netpbm project's PPM format specification.
  public init(ppm: Data) throws(PPMError) {
    var header = PPMHeader(bytes: [UInt8](ppm))
    try header.skipMagic()
    let width = try header.nextNumber()
    let height = try header.nextNumber()
    let maximum = try header.nextNumber()
    let sides = 1...Self.longestSide
    guard sides.contains(width), sides.contains(height) else { throw .absurdSize }
    guard maximum == 255 else { throw .unsupportedMaximum(maximum) }

    let raster = header.rest
    let expected = width * height * 3
    guard raster.count >= expected else {
      throw .truncated(expected: expected, found: raster.count)
    }
    guard raster.count == expected else { throw .trailingBytes(raster.count - expected) }
    let pixels = stride(from: raster.startIndex, to: raster.endIndex, by: 3).map {
      RGB(raster[$0], raster[$0 + 1], raster[$0 + 2])
    }
    self.init(width: width, height: height, pixels: pixels)
  }

  /// The picture as a binary PPM file, which most viewers open.
  public var ppm: Data {
    var data = Data("P6\n\(width) \(height)\n255\n".utf8)
    data.reserveCapacity(data.count + pixels.count * 3)
    for pixel in pixels {
      data.append(pixel.red)
      data.append(pixel.green)
      data.append(pixel.blue)
    }
    return data
  }
}

/// Reads the header of a PPM file, byte by byte.
///
/// A comment, from "#" to the end of its line inclusive, is ignored anywhere, even in the middle of
/// a number. So the end of a comment doesn't end the header.
private struct PPMHeader {
  private let bytes: [UInt8]
  private var position = 0

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The bytes after the header: the pixels.
  var rest: ArraySlice<UInt8> { bytes[position...] }

  mutating func skipMagic() throws(PPMError) {
    guard bytes.starts(with: "P6".utf8) else { throw .wrongMagic }
    position = 2
    guard let byte = nextByte(), Self.isSpace(byte) else { throw .malformedHeader }
  }

  /// Reads the next number and the one space after it.
  ///
  /// A number above a million is read as a million.
  mutating func nextNumber() throws(PPMError) -> Int {
    var byte = nextByte()
    while let space = byte, Self.isSpace(space) { byte = nextByte() }
    var number: Int?
    while let digit = byte, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) {
      // Doesn't overflow, for any number of digits, and is still too large.
      number = min((number ?? 0) * 10 + Int(digit - UInt8(ascii: "0")), 1_000_000)
      byte = nextByte()
    }
    guard let number, let end = byte, Self.isSpace(end) else { throw .malformedHeader }
    return number
  }

  private mutating func nextByte() -> UInt8? {
    while position < bytes.count, bytes[position] == UInt8(ascii: "#") {
      while position < bytes.count, !Self.endsLine(bytes[position]) { position += 1 }
      position = min(position + 1, bytes.count)
    }
    guard position < bytes.count else { return nil }
    defer { position += 1 }
    return bytes[position]
  }

  private static func endsLine(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }
}
