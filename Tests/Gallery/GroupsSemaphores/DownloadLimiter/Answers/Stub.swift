// Page: make page KATA=DownloadLimiter (Docs/ConcurrencyKatas.docc/DownloadLimiter.md)

import Dispatch
import Foundation

/// Limits how many downloads are in flight at once; the others wait in line for a free slot.
///
/// A download takes a slot when it's started, and is in flight until the slot is freed.
///
/// - At most `limit` downloads are in flight at once.
/// - While a slot is free, the first download in line is started.
/// - Downloads are started in the order in which they were submitted.
/// - A slot is freed when its download calls `finished` or throws, whichever comes first, and only
///   once.
/// - A download that neither calls `finished` nor throws keeps its slot, even if it releases
///   `finished`.
/// - Each limiter has slots and a line of its own: no download waits for those of another limiter.
/// - However many downloads are in flight and in line, at most one thread waits for all of them.
/// - Threads may call `submit` and `finished` at the same time, and while a download throws,
///   without a data race.
/// - A limiter may be released while downloads are in flight.
/// - The downloads that are in line when the limiter is released are started as if it were still
///   there.
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
/// Source: the counting semaphore, Dijkstra, 1965; Apple's documentation of `DispatchSemaphore`.
///
/// Your turn: a semaphore can count the free slots, but some thread has to wait at it. Not that of
/// the caller of `submit`, and not one for each download in line: a thousand of them must cost no
/// more than one. Write `init` and `submit(_:)`, with whatever private parts they need.
public final class DownloadLimiter: Sendable {
  /// Starts a download and returns soon.
  ///
  /// It calls `finished` when the download has ended; or it throws if there is nothing to wait for.
  ///
  /// - A download may call `finished` on any thread, before it returns or later.
  public typealias Download = @Sendable (_ finished: @escaping @Sendable () -> Void) throws -> Void

  // TODO: What counts the free slots, and where do the downloads in line wait?

  /// Creates a limiter; the caller must pass a positive `limit`.
  ///
  /// - A new limiter has `limit` free slots.
  public init(limit: Int) {
    precondition(limit > 0, "a limit of \(limit) downloads would let none start")
    // TODO: Make the slots. Mind: a limiter may be let go of while downloads are in flight, and
    // Dispatch traps when a semaphore dies with a smaller value than it was made with. Make it with
    // the value 0 and signal it `limit` times.
  }

  /// Puts `download` in line.
  ///
  /// - `submit` returns without waiting for a slot, and without waiting while another download is
  ///   being started.
  /// - A download may call `submit` while it is being started.
  public func submit(_ download: @escaping Download) {
    // TODO: See to it, without waiting here, that `download` is called when a slot is free for it,
    // with a closure that frees that slot: the first time that it is called, and no other time. (A
    // @Sendable closure can't change a `var`; a small private class with a lock can remember.)
  }
}
