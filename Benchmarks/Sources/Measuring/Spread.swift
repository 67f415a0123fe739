import Foundation

/// A median with the quartiles on both sides of it.
public struct Spread: CustomStringConvertible, Sendable {
  /// A quarter of the values isn't above it.
  public let low: Double
  /// Half of the values isn't above it.
  public let median: Double
  /// Three quarters of the values aren't above it.
  public let high: Double

  /// The spread of `values`; not a number where there are none.
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

  /// A number with two or three digits that mean something.
  private static func short(_ value: Double) -> String {
    switch value {
    case ..<0.1: String(format: "%.2g", value)
    case ..<10: String(format: "%.2f", value)
    default: String(format: "%.0f", value)
    }
  }
}
