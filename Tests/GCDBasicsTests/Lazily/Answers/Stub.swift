// Page: make page KATA=Lazily (Docs/ConcurrencyKatas.docc/Lazily.md)

import Foundation

/// A value that is computed once, when it is first asked for, by whichever thread that is.
///
/// - Nothing is computed before somebody asks.
/// - Whoever asks while another thread computes waits for that, and gets the same value.
/// - Once the computation has returned it is never called again.
/// - What it throws goes to the caller whose attempt it was, and isn't kept: the next one who asks
///   tries again. So does one of those who waited meanwhile, and the others go on waiting.
/// - Two values don't wait for each other.
///
/// Your turn. To look whether the value is there and to compute it where it isn't must be *one* step,
/// or two threads look before either has computed. A serial queue of its own, asked with `sync`, makes
/// it one, and so does a lock. Look, compute and keep inside; an error then finds its way out by
/// itself.
public final class Lazily<Value: Sendable>: Sendable {
  private let compute: @Sendable () throws -> Value

  /// Keeps `compute` for later.
  ///
  /// - Parameter compute: Computes the value; called by `value`, one call at a time, and never again
  ///   once it has returned.
  public init(_ compute: @escaping @Sendable () throws -> Value) {
    self.compute = compute
  }

  /// The value, the same for all who ask.
  ///
  /// The first to ask computes it, on its own thread; whoever asks meanwhile is blocked until that is
  /// over. From then on it returns at once.
  ///
  /// - Throws: What the computation has thrown, where it was this caller's attempt.
  public var value: Value {
    get throws {
      // TODO: Compute it only once.
      try compute()
    }
  }
}
