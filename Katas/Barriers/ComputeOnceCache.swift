// Page: make page KATA=ComputeOnceCache (Docs/ConcurrencyKatas.docc/ComputeOnceCache.md)

import Foundation

/// Values by key, each computed once, however many threads ask for it at the same moment.
///
/// - Whoever asks first for a key computes its value; it's kept, and never computed again.
/// - Whoever asks for the same key meanwhile waits for that, and gets the same value.
/// - Different keys have nothing to do with each other: they are computed side by side, and what's
///   there is had at once, whatever is being computed beside it.
/// - What a computation throws goes to the caller whose attempt it was, and isn't kept. Of those who
///   waited meanwhile, one makes the next attempt, with its own closure; the others go on waiting.
/// - A computation may ask for the value of another key.
///
/// Your turn. A dictionary behind a lock, or behind a barrier, keeps the values; begin with that, and
/// look there before you compute. Then two threads ask for the same key at once, and neither finds
/// anything: so a dictionary must also tell that somebody is *computing*, and let others wait for the
/// end of it. And don't compute while you hold the dictionary's lock, or everybody waits for everybody.
public final class ComputeOnceCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// Creates an empty cache.
  public init() {}

  /// The value of `key`, which is computed if it isn't there.
  ///
  /// Blocks while somebody else computes the value of this key.
  ///
  /// - Parameters:
  ///   - key: What the value belongs to.
  ///   - compute: Computes the value. Called on the calling thread, only where this caller is the
  ///     one to compute, and not kept.
  /// - Returns: The value, the same for all who ask for this key.
  /// - Throws: What `compute` has thrown.
  public func value(for key: Key, compute: () throws -> Value) rethrows -> Value {
    // TODO: Compute it only once for each key.
    try compute()
  }
}
