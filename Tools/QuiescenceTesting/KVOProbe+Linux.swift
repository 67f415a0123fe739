#if canImport(Glibc) || canImport(Musl)
  import Foundation
  import Synchronization

  /// Hears what the author of one operation announces.
  ///
  /// There is no Objective-C runtime to ask here. The four methods with which an operation
  /// announces a change are public symbols of the Foundation library, so this binary's own
  /// definitions of the same symbols are called first: they report to the listeners and go on to
  /// the original. What Foundation announces to itself doesn't pass here; only what the operation's
  /// author sends.
  final class KVOListener: Sendable {
    typealias Handler = @Sendable (KVOProbe.Announcement, Operation) -> Void

    /// Held, so that no other operation gets its address.
    private let operation: Operation
    private let handler: Handler

    init(_ operation: Operation, handler: @escaping Handler) {
      self.operation = operation
      self.handler = handler
      Self.all.withLock { $0[ObjectIdentifier(operation), default: []].append(self) }
      Self.count.add(1, ordering: .relaxed)
    }

    func stop() {
      let address = ObjectIdentifier(operation)
      Self.count.subtract(1, ordering: .relaxed)
      Self.all.withLock { all in
        all[address]?.removeAll { $0 === self }
        if all[address]?.isEmpty == true { all[address] = nil }
      }
    }

    // MARK: - Everybody who listens

    private static let all = Locked<[ObjectIdentifier: [KVOListener]]>([:])

    // Relaxed, and asked before the lock: where nobody listens, a notice must not order the threads
    // that notify, or the sanitizer would miss a race between them.
    private static let count = Atomic(0)

    static func hear(
      _ announcement: @autoclosure () -> KVOProbe.Announcement?, from operation: Operation
    ) {
      guard count.load(ordering: .relaxed) > 0, let announcement = announcement() else { return }
      let listeners = all.withLock { $0[ObjectIdentifier(operation)] ?? [] }
      for listener in listeners { listener.handler(announcement, operation) }
    }

    /// Tells who listens to operations that depend on `operation` that they may have become ready.
    static func hearReadiness(after operation: Operation) {
      guard count.load(ordering: .relaxed) > 0 else { return }
      let operations = all.withLock { $0.values.compactMap { $0.first?.operation } }
      for dependent in operations where dependent.dependencies.contains(operation) {
        hear(.will(.isReady), from: dependent)
        hear(.did(.isReady), from: dependent)
      }
    }
  }

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
  fileprivate enum Rehearsal {
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

  // MARK: - The interposed methods

  // The names are the mangled ones of Foundation's methods; extension methods of Operation share
  // their calling convention. Never call these from Swift by their Swift names.

  extension Operation {
    /// Hears `willChangeValue(forKey:)`.
    @_silgen_name("$s10Foundation9OperationC15willChangeValue6forKeyySS_tF")
    public func interposedWillChangeValue(forKey key: String) {
      Rehearsal.note(KVOProbe.Key(name: key)?.rawValue ?? key, of: self)
      KVOListener.hear(KVOProbe.Key(name: key).map { .will($0) }, from: self)
      Original.method(Original.willChangeKey, of: self, as: ByKey.self)?.call(key)
    }

    /// Hears `didChangeValue(forKey:)`.
    @_silgen_name("$s10Foundation9OperationC14didChangeValue6forKeyySS_tF")
    public func interposedDidChangeValue(forKey key: String) {
      guard Rehearsal.counts(KVOProbe.Key(name: key)?.rawValue ?? key, of: self) else { return }
      KVOListener.hear(KVOProbe.Key(name: key).map { .did($0) }, from: self)
      Original.method(Original.didChangeKey, of: self, as: ByKey.self)?.call(key)
      Rehearsal.follow(KVOProbe.Key(name: key), of: self)
    }

    /// Hears `willChangeValue(for:)`.
    @_silgen_name("$s10Foundation9OperationC15willChangeValue3forys7KeyPathCyACxG_tlF")
    public func interposedWillChangeValue<Value>(for keyPath: KeyPath<Operation, Value>) {
      Rehearsal.note(KVOProbe.Key(keyPath)?.rawValue ?? "\(keyPath)", of: self)
      KVOListener.hear(KVOProbe.Key(keyPath).map { .will($0) }, from: self)
      Original.method(Original.willChangePath, of: self, as: ByPath.self)?
        .call(keyPath, unsafeBitCast(Value.self as Any.Type, to: UnsafeRawPointer.self))
    }

    /// Hears `didChangeValue(for:)`.
    @_silgen_name("$s10Foundation9OperationC14didChangeValue3forys7KeyPathCyACxG_tlF")
    public func interposedDidChangeValue<Value>(for keyPath: KeyPath<Operation, Value>) {
      guard Rehearsal.counts(KVOProbe.Key(keyPath)?.rawValue ?? "\(keyPath)", of: self) else {
        return
      }
      KVOListener.hear(KVOProbe.Key(keyPath).map { .did($0) }, from: self)
      Original.method(Original.didChangePath, of: self, as: ByPath.self)?
        .call(keyPath, unsafeBitCast(Value.self as Any.Type, to: UnsafeRawPointer.self))
      Rehearsal.follow(KVOProbe.Key(keyPath), of: self)
    }

    /// Adds the notices that Apple's Foundation sends to everybody when an operation is cancelled.
    @_silgen_name("$s10Foundation9OperationC6cancelyyF")
    public func interposedCancel() {
      let isHeard = Rehearsal.isOn && !isFinished
      if isHeard { KVOListener.hear(.will(.isReady), from: self) }
      Original.method(Original.cancel, of: self, as: Plain.self)?.call()
      if isHeard { KVOListener.hear(.did(.isReady), from: self) }
    }
  }

  extension KVOProbe {
    /// Whether a *did* without its *will* on the same thread is heard by nobody.
    static var dropsLoneDid: Bool {
      Rehearsal.begin()
      return Rehearsal.isOn
    }

    /// Begins the rehearsal for Apple's platforms where it's asked for.
    static func prepare() { Rehearsal.begin() }
  }

  extension KVOProbe.Key {
    fileprivate init?(_ keyPath: AnyKeyPath) {
      switch keyPath {
      case \Operation.isReady: self = .isReady
      case \Operation.isExecuting: self = .isExecuting
      case \Operation.isFinished: self = .isFinished
      default: return nil
      }
    }
  }

  // A closure is an address and a context, and its context travels where a method's self does: an
  // original method's address with the operation as context is a closure with that method's
  // parameters. As a struct's only field it keeps the natural convention.

  /// A method that takes nothing.
  private struct Plain {
    let call: () -> Void
  }

  /// A method that takes a key.
  private struct ByKey {
    let call: (String) -> Void
  }

  /// A method that takes a key path and, being generic, the type of its value.
  private struct ByPath {
    let call: (AnyKeyPath, UnsafeRawPointer) -> Void
  }

  /// Foundation's own methods, by address.
  private enum Original {
    // Safe: addresses of code, looked up once.
    nonisolated(unsafe) static let willChangeKey = address(
      "$s10Foundation9OperationC15willChangeValue6forKeyySS_tF")
    nonisolated(unsafe) static let didChangeKey = address(  // Safe: as above.
      "$s10Foundation9OperationC14didChangeValue6forKeyySS_tF")
    nonisolated(unsafe) static let willChangePath = address(  // Safe: as above.
      "$s10Foundation9OperationC15willChangeValue3forys7KeyPathCyACxG_tlF")
    nonisolated(unsafe) static let didChangePath = address(  // Safe: as above.
      "$s10Foundation9OperationC14didChangeValue3forys7KeyPathCyACxG_tlF")

    nonisolated(unsafe) static let cancel = address(  // Safe: as above.
      "$s10Foundation9OperationC6cancelyyF")

    static func method<Method>(
      _ address: UnsafeMutableRawPointer?, of operation: Operation, as: Method.Type
    ) -> Method? {
      guard let address else { return nil }
      let method = (code: address, context: Unmanaged.passUnretained(operation).toOpaque())
      return unsafeBitCast(method, to: Method.self)
    }

    /// The address of the next library's definition of `symbol`, behind this binary's own.
    private static func address(_ symbol: String) -> UnsafeMutableRawPointer? {
      // RTLD_NEXT is a cast in C, which Swift doesn't import.
      dlsym(UnsafeMutableRawPointer(bitPattern: -1), symbol)
    }
  }
#endif
