#if canImport(Glibc) || canImport(Musl)
  import Foundation
  import Synchronization

  /// A rehearsal for Apple's platforms, where key-value observing does more than Foundation does
  /// here.
  ///
  /// Set `KATA_KVO=apple` for a run of specs. Then a *did* counts only after its *will* on the same
  /// thread, for Foundation's own observers too. All observers receive Foundation's notifications
  /// of `isReady`, when an operation is cancelled and when an operation that it depends on has
  /// finished.
  ///
  /// Source: the header `NSOperation.h` for readiness. Apple's Key-Value Observing guide asks for
  /// *will* and *did* in pairs. What happens to a *did* alone isn't documented; the rehearsal
  /// assumes that pairs are kept in a list for each thread.
  enum KVORehearsal {
    // Relaxed, and of a type that needs no initialisation at run time: without a rehearsal, a
    // notification must not order the notifying threads.
    private static let isAsked = Atomic(false)

    static var isOn: Bool { isAsked.load(ordering: .relaxed) }

    /// Starts the rehearsal if it's asked for, unless Thread Sanitizer is on.
    ///
    /// State for each thread is kept behind locks of the runtime, and the sanitizer would take
    /// these for an order.
    static func begin() {
      let asked = ProcessInfo.processInfo.environment["KATA_KVO"] == "apple"
      if asked, !Sanitizer.isNotified { isAsked.store(true, ordering: .relaxed) }
    }

    private static let pending = "katas.kvo.pending"

    private struct Will: Equatable {
      let operation: ObjectIdentifier
      let key: String
    }

    /// Records a *will* on the calling thread.
    static func note(_ name: @autoclosure () -> String, of operation: Operation) {
      guard isOn else { return }
      let key = name()
      let wills = Thread.current.threadDictionary[pending] as? [Will] ?? []
      let will = Will(operation: ObjectIdentifier(operation), key: key)
      Thread.current.threadDictionary[pending] = wills + [will]
    }

    /// Whether a *did* counts: its *will* was sent on this thread, and is now used up.
    static func counts(_ name: @autoclosure () -> String, of operation: Operation) -> Bool {
      guard isOn else { return true }
      let key = name()
      var wills = Thread.current.threadDictionary[pending] as? [Will] ?? []
      let will = Will(operation: ObjectIdentifier(operation), key: key)
      guard let last = wills.lastIndex(of: will) else { return false }
      wills.remove(at: last)
      Thread.current.threadDictionary[pending] = wills
      return true
    }

    /// Sends what follows a *did*.
    static func follow(_ key: @autoclosure () -> KVOProbe.Key?, of operation: Operation) {
      if isOn, key() == .isFinished { KVOListener.hearReadiness(after: operation) }
    }
  }

  extension KVOProbe {
    /// Whether no observer receives a *did* without its *will* on the same thread.
    static var dropsLoneDid: Bool {
      KVORehearsal.begin()
      return KVORehearsal.isOn
    }

    /// Starts the rehearsal for Apple's platforms if it's asked for.
    static func prepare() { KVORehearsal.begin() }
  }
#endif
