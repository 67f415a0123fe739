#if canImport(Glibc) || canImport(Musl)
  import Foundation
  import Synchronization

  /// A rehearsal for Apple's platforms, where key-value observing does more than Foundation does here:
  /// set `KATA_KVO=apple` for a run of specs.
  ///
  /// There a *did* counts only behind its *will* on the same thread, for Foundation's own observers too;
  /// and Foundation's notices of `isReady`, when an operation is cancelled and when one that it depends on
  /// has finished, are heard by everybody.
  ///
  /// Source: the header `NSOperation.h` for readiness. Apple's Key-Value Observing guide asks for *will* and
  /// *did* in pairs; what becomes of a lone one is documented nowhere, and follows what is known of how the
  /// pairs are kept, a list for each thread.
  enum KVORehearsal {
    // Relaxed, and of a type that is there from the beginning: where no rehearsal is, a notice must not
    // order the threads that notify.
    private static let isAsked = Atomic(false)

    static var isOn: Bool { isAsked.load(ordering: .relaxed) }

    /// Begins the rehearsal where it's asked for, but not where Thread Sanitizer listens: what is kept for
    /// each thread goes through locks of the runtime's, which it would take for an order.
    static func begin() {
      let asked = ProcessInfo.processInfo.environment["KATA_KVO"] == "apple"
      if asked, !Sanitizer.isTold { isAsked.store(true, ordering: .relaxed) }
    }

    private static let pending = "katas.kvo.pending"

    private struct Will: Equatable {
      let operation: ObjectIdentifier
      let key: String
    }

    /// Notes a *will* on the calling thread.
    static func note(_ name: @autoclosure () -> String, of operation: Operation) {
      guard isOn else { return }
      let key = name()
      let wills = Thread.current.threadDictionary[pending] as? [Will] ?? []
      let will = Will(operation: ObjectIdentifier(operation), key: key)
      Thread.current.threadDictionary[pending] = wills + [will]
    }

    /// Whether a *did* counts: its *will* was sent on this thread, and is used up now.
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

    /// What follows once a *did* is sent.
    static func follow(_ key: @autoclosure () -> KVOProbe.Key?, of operation: Operation) {
      if isOn, key() == .isFinished { KVOListener.hearReadiness(after: operation) }
    }
  }

  extension KVOProbe {
    /// Whether a *did* without its *will* on the same thread is heard by nobody.
    static var dropsLoneDid: Bool {
      KVORehearsal.begin()
      return KVORehearsal.isOn
    }

    /// Begins the rehearsal for Apple's platforms where it's asked for.
    static func prepare() { KVORehearsal.begin() }
  }
#endif
