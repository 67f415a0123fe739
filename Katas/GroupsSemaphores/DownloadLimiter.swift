// Page: make page KATA=DownloadLimiter (Docs/ConcurrencyKatas.docc/DownloadLimiter.md)

import Dispatch
import Foundation

/// Lets at most so many downloads be in flight at once; the others wait for a free slot, in line.
///
/// Safe to use from every thread, also from the downloads themselves. Nobody waits in person:
/// ``submit(_:)`` returns at once, and however many downloads are in flight and in line, at most
/// one thread waits for all of them.
///
/// ```swift
/// let limiter = DownloadLimiter(limit: 4)
/// for url in urls {
///   limiter.submit { finished in
///     session.dataTask(with: url) { data, _, _ in
///       show(data)
///       finished()
///     }.resume()
///   }
/// }
/// ```
///
/// A limiter may be let go of while downloads are in flight, and those in line are started even
/// then.
///
/// Source: the counting semaphore, Dijkstra, 1965; Apple's documentation of `DispatchSemaphore`.
///
/// Your turn: a semaphore can count the free slots, but somebody has to wait at it. Not the caller of
/// `submit`, and not a thread for each download in line: a thousand of them must cost no more than
/// one. Write `init` and `submit(_:)`, with whatever private parts they need.
public final class DownloadLimiter: Sendable {
  /// Starts a download and returns soon.
  ///
  /// It calls `finished` when the download has ended, from any thread, at once or later; or it
  /// throws where there is nothing to wait for.
  public typealias Download = @Sendable (_ finished: @escaping @Sendable () -> Void) throws -> Void

  // TODO: What counts the free slots, and where do the downloads in line wait?

  /// Creates a limiter with `limit` free slots.
  ///
  /// - Precondition: `limit` is positive.
  public init(limit: Int) {
    precondition(limit > 0, "a limit of \(limit) downloads would let none start")
    // TODO: Make the slots. Mind: a limiter may be let go of while downloads are in flight, and
    // Dispatch traps when a semaphore dies with a smaller value than it was made with. Make it with
    // the value 0 and signal it `limit` times.
  }

  /// Puts `download` in line.
  ///
  /// Returns at once, whether a slot is free or not, also while another download is being
  /// started.
  ///
  /// Downloads are started in the order of their submission, each when a slot is free for it. Its
  /// slot is freed when it calls `finished` or throws, whichever comes first, and only once; a
  /// download that never does either keeps its slot.
  public func submit(_ download: @escaping Download) {
    // TODO: See to it, without waiting here, that `download` is called when a slot is free for it,
    // with a closure that frees that slot: the first time that it is called, and no other time. (A
    // @Sendable closure can't change a `var`; a small private class with a lock can remember.)
  }
}
