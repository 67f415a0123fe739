/// A colour of eight bits a channel.
public struct RGB: Hashable, Sendable {
  /// The red channel, from 0 to 255.
  public var red: UInt8
  /// The green channel, from 0 to 255.
  public var green: UInt8
  /// The blue channel, from 0 to 255.
  public var blue: UInt8

  /// Creates a colour from its channels.
  public init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Creates a grey: the same `level` in each channel.
  public init(grey level: UInt8) {
    self.init(level, level, level)
  }
}

/// A picture of at least one pixel: rows from top to bottom, pixels from left to right.
///
/// A value type: a copy is independent of the original, and shares its storage until one of them is
/// changed.
///
/// ```swift
/// let image = RGBImage(rows: [
///   [RGB(255, 0, 0), RGB(0, 255, 0)],
///   [RGB(0, 0, 255), RGB(grey: 128)],
/// ])
/// image[1, 0]  // green
/// ```
public struct RGBImage: Equatable, Sendable {
  /// The number of pixels in a row.
  public let width: Int
  /// The number of rows.
  public let height: Int
  /// All pixels, row by row: `width * height` of them.
  public private(set) var pixels: [RGB]

  /// Creates an image from its pixels, row by row.
  ///
  /// - Precondition: Both sides are positive and there are `width * height` pixels.
  public init(width: Int, height: Int, pixels: [RGB]) {
    precondition(width > 0 && height > 0, "an image of \(width) × \(height) pixels has none")
    precondition(
      pixels.count == width * height,
      "an image of \(width) × \(height) has \(width * height) pixels, not \(pixels.count)")
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// Creates an image from its rows, the top one first.
  ///
  /// - Precondition: There is at least one row, and all rows are equally long and not empty.
  public init(rows: [[RGB]]) {
    let width = rows.first?.count ?? 0
    for (y, row) in rows.enumerated() {
      precondition(row.count == width, "row \(y) has \(row.count) pixels, row 0 has \(width)")
    }
    self.init(width: width, height: rows.count, pixels: Array(rows.joined()))
  }

  /// Creates an image from a function that returns the colour of each pixel.
  ///
  /// - Precondition: Both sides are positive.
  public init(width: Int, height: Int, color: (_ x: Int, _ y: Int) -> RGB) {
    precondition(width > 0 && height > 0, "an image of \(width) × \(height) pixels has none")
    var pixels: [RGB] = []
    pixels.reserveCapacity(width * height)
    for y in 0..<height {
      for x in 0..<width { pixels.append(color(x, y)) }
    }
    self.init(width: width, height: height, pixels: pixels)
  }

  /// The pixel in column `x` of row `y`.
  public subscript(x: Int, y: Int) -> RGB {
    get { pixels[index(x, y)] }
    set { pixels[index(x, y)] = newValue }
  }

  /// The pixels of row `y`, from left to right.
  public func row(_ y: Int) -> [RGB] {
    Array(pixels[index(0, y)..<index(0, y) + width])
  }

  /// Replaces row `y`.
  ///
  /// - Precondition: `row` has `width` pixels.
  public mutating func setRow(_ y: Int, to row: [RGB]) {
    precondition(row.count == width, "a row of this image has \(width) pixels, not \(row.count)")
    let start = index(0, y)
    pixels.replaceSubrange(start..<start + width, with: row)
  }

  private func index(_ x: Int, _ y: Int) -> Int {
    precondition(
      (0..<width).contains(x) && (0..<height).contains(y),
      "(\(x), \(y)) lies outside an image of \(width) × \(height)")
    return y * width + x
  }
}

extension RGB: CustomStringConvertible {
  /// The channels in hexadecimal: "#FF8000".
  public var description: String {
    let digits = [red, green, blue].map { channel in
      let digits = String(channel, radix: 16, uppercase: true)
      return channel < 16 ? "0" + digits : digits
    }
    return "#" + digits.joined()
  }
}

extension RGBImage: CustomStringConvertible {
  /// The size, and as many rows of pixels as fit in a few lines.
  public var description: String {
    let shown = 24
    let rows = (0..<min(height, shown / min(width, shown))).map { y in
      row(y).prefix(shown).map(\.description).joined(separator: " ")
        + (width > shown ? " …" : "")
    }
    return "\(width) × \(height) pixels (\(rows.joined(separator: " | "))"
      + (rows.count < height ? " | …)" : ")")
  }
}
