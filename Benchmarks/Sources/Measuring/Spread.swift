import Foundation

/// A median with its two quartiles.
public struct Spread: CustomStringConvertible, Sendable {
  /// The first quartile: a quarter of the values aren't above it.
  public let low: Double
  /// The median: half of the values aren't above it.
  public let median: Double
  /// The third quartile: three quarters of the values aren't above it.
  public let high: Double

  /// The spread of `values`; not a number if there are none.
  public init(_ values: [Double]) {
    let sorted = values.sorted()
    func at(_ share: Double) -> Double {
      guard let last = sorted.indices.last else { return .nan }
      let place = share * Double(last)
      let below = Int(place)
      let above = min(below + 1, last)
      return sorted[below] + (sorted[above] - sorted[below]) * (place - Double(below))
    }
    (low, median, high) = (at(0.25), at(0.5), at(0.75))
  }

  /// The median, and the quartiles in brackets.
  public var description: String {
    "\(Self.short(median))  (\(Self.short(low)) … \(Self.short(high)))"
  }

  /// A number with two or three significant digits.
  private static func short(_ value: Double) -> String {
    switch value {
    case ..<0.1: String(format: "%.2g", value)
    case ..<10: String(format: "%.2f", value)
    default: String(format: "%.0f", value)
    }
  }
}
