/// A tilt-shift: a band of the picture stays sharp, and the rows above and below it are blurred.
///
/// It makes a street look like a model of one. Every pixel of the result is defined exactly:
///
/// - A row in the band is the input's row, unchanged.
/// - A row *d* rows outside the band (the row next to it has *d* = 1) is blurred with the radius
///   *r* = min(*d*, ``maximumRadius``).
/// - A blurred channel is the mean of the (2*r* + 1)² input pixels of the square around its pixel.
///   It's rounded to the nearest whole number; an odd number of pixels has no ties.
/// - Outside the picture the square repeats the pixels at the edge.
///
/// ```swift
/// let tiltShift = TiltShift(focus: 40..<60, maximumRadius: 4)
/// let top = tiltShift.row(0, of: image)
/// ```
public struct TiltShift: Sendable {
  /// The rows that stay sharp; nil for the middle third.
  public let focus: Range<Int>?
  /// The radius of the blur far from the band, in pixels.
  public let maximumRadius: Int

  /// Creates a tilt-shift.
  ///
  /// - Parameters:
  ///   - focus: The rows that stay sharp; if nil, those from `height / 3` up to, not including,
  ///     `height - height / 3`.
  ///   - maximumRadius: The radius of the blur far from the band; 0 leaves everything sharp.
  /// - Precondition: `focus` isn't empty, and `maximumRadius` isn't negative.
  public init(focus: Range<Int>? = nil, maximumRadius: Int = 4) {
    precondition(focus?.isEmpty != true, "the band in focus, \(focus!), has no rows")
    precondition(maximumRadius >= 0, "a blur can't have the radius \(maximumRadius)")
    self.focus = focus
    self.maximumRadius = maximumRadius
  }

  /// Row `y` of the result, computed from the input image alone.
  ///
  /// The time is proportional to the width of the image times the radius. Any number of threads may
  /// call it at once.
  public func row(_ y: Int, of image: RGBImage) -> [RGB] {
    let radius = radius(ofRow: y, height: image.height)
    guard radius > 0 else { return image.row(y) }

    // The sum of each column of the square, and then a window that slides over the columns.
    var columns = [Sum](repeating: Sum(), count: image.width)
    for dy in -radius...radius {
      let start = min(max(y + dy, 0), image.height - 1) * image.width
      for x in 0..<image.width { columns[x].add(image.pixels[start + x]) }
    }
    let last = image.width - 1
    var window = Sum()
    for dx in -radius...radius { window.add(columns[min(max(dx, 0), last)]) }
    let side = 2 * radius + 1
    return (0..<image.width).map { x in
      defer {
        window.add(columns[min(x + 1 + radius, last)])
        window.subtract(columns[max(x - radius, 0)])
      }
      return window.mean(of: side * side)
    }
  }

  /// The distance of row `y` from the band, at most ``maximumRadius``.
  private func radius(ofRow y: Int, height: Int) -> Int {
    let focus = focus ?? height / 3..<height - height / 3
    return min(max(focus.lowerBound - y, y - (focus.upperBound - 1), 0), maximumRadius)
  }
}

/// The channels of several pixels, added up.
private struct Sum {
  private var red = 0
  private var green = 0
  private var blue = 0

  mutating func add(_ pixel: RGB) {
    red += Int(pixel.red)
    green += Int(pixel.green)
    blue += Int(pixel.blue)
  }

  mutating func add(_ sum: Sum) {
    red += sum.red
    green += sum.green
    blue += sum.blue
  }

  mutating func subtract(_ sum: Sum) {
    red -= sum.red
    green -= sum.green
    blue -= sum.blue
  }

  /// The mean of `count` pixels, rounded to nearest.
  func mean(of count: Int) -> RGB {
    func rounded(_ sum: Int) -> UInt8 { UInt8((2 * sum + count) / (2 * count)) }
    return RGB(rounded(red), rounded(green), rounded(blue))
  }
}
