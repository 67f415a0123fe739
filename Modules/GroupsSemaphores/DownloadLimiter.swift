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
public final class DownloadLimiter: Sendable {
  /// Starts a download and returns soon.
  ///
  /// It calls `finished` when the download has ended, from any thread, at once or later; or it
  /// throws where there is nothing to wait for.
  public typealias Download = @Sendable (_ finished: @escaping @Sendable () -> Void) throws -> Void

  private let slots: DispatchSemaphore
  /// Waits for the free slots, on behalf of all downloads in line.
  private let dispatcher = DispatchQueue(label: "katas.groups-semaphores.download-limiter")

  /// Creates a limiter with `limit` free slots.
  ///
  /// - Precondition: `limit` is positive.
  public init(limit: Int) {
    precondition(limit > 0, "a limit of \(limit) downloads would let none start")
    // Not `DispatchSemaphore(value: limit)`: Dispatch traps when a semaphore dies with a smaller
    // value than it was made with, and a limiter may be let go of with downloads in flight.
    slots = DispatchSemaphore(value: 0)
    for _ in 0..<limit { slots.signal() }
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

/// One taken slot, which is freed once, however often it is asked to be.
private final class Slot: Sendable {
  private let slots: DispatchSemaphore
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var isTaken = true
  private let lock = NSLock()

  init(of slots: DispatchSemaphore) {
    self.slots = slots
  }

  func free() {
    let isFirst = lock.withLock {
      defer { isTaken = false }
      return isTaken
    }
    if isFirst { slots.signal() }
  }
}
