import Dispatch
import Synchronization

/// Limits how many downloads are in flight at once; the others wait in line for a free slot.
///
/// A download takes a slot when it's started, and is in flight until the slot is freed.
///
/// - At most `limit` downloads are in flight at once.
/// - When a slot is free and no download is being started, the first download in line is started.
/// - Downloads are started in the order in which they were submitted.
/// - A slot is freed when its download calls `finished` or throws, whichever comes first, and only
///   once.
/// - A download that neither calls `finished` nor throws keeps its slot, even if it releases
///   `finished`.
/// - Each limiter has slots and a line of its own: no download waits for a slot or a download of
///   another limiter.
/// - However many downloads are in flight and in line, a limiter blocks at most one thread.
/// - Threads may call `submit` and `finished` at the same time, and while a download throws,
///   without a data race.
/// - A limiter may be released while downloads are in flight.
/// - The downloads that are in line when the limiter is released are started as if it were still
///   there.
///
/// Safe to use from any thread, including from the downloads themselves.
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
public final class DownloadLimiter: Sendable {
  /// Starts a download and returns without waiting for its end.
  ///
  /// It calls `finished` when the download has ended, or throws if the download couldn't begin.
  /// The limiter passes the error on to no caller.
  ///
  /// - A download may call `finished` on any thread, before it returns or later, and may wait until
  ///   that call has returned.
  public typealias Download = @Sendable (_ finished: @escaping @Sendable () -> Void) throws -> Void

  private let slots: DispatchSemaphore
  /// Waits for free slots, on behalf of all downloads in line.
  private let dispatcher = DispatchQueue(label: "katas.groups-semaphores.download-limiter")

  /// Creates a limiter; the caller must pass a positive `limit`.
  ///
  /// - A new limiter has `limit` free slots.
  public init(limit: Int) {
    precondition(limit > 0, "a limit of \(limit) downloads would let none start")
    // Not `DispatchSemaphore(value: limit)`: Dispatch traps if a semaphore is destroyed while its
    // value is below the initial one, and a limiter may be released with downloads in flight.
    slots = DispatchSemaphore(value: 0)
    for _ in 0..<limit { slots.signal() }
  }

  /// Puts `download` in line.
  ///
  /// - `submit` returns without waiting for a slot, and without waiting while another download is
  ///   being started.
  /// - A download may call `submit` while it is being started.
  public func submit(_ download: @escaping Download) {
    dispatcher.async { [slots] in
      slots.wait()
      let slot = Slot(of: slots)
      do {
        try download { slot.free() }
      } catch {
        slot.free()
      }
    }
  }
}

/// One taken slot, which is freed once, however often `free` is called.
private final class Slot: Sendable {
  private let slots: DispatchSemaphore
  private let isTaken = Mutex(true)

  init(of slots: DispatchSemaphore) {
    self.slots = slots
  }

  func free() {
    let isFirst = isTaken.withLock { isTaken in
      defer { isTaken = false }
      return isTaken
    }
    if isFirst { slots.signal() }
  }
}
