#if canImport(Glibc) || canImport(Musl)
  import Foundation
  import QuiescenceTesting
  import Synchronization

  /// Receives the notifications that the author of one operation sends.
  ///
  /// There is no Objective-C runtime here. The four methods with which an operation announces a
  /// change are public symbols of the Foundation library. So this binary's own definitions of the
  /// same symbols are called first: they report to the listeners and call the original.
  /// Foundation's own notifications don't pass here, only those that the operation's author sends.
  final class KVOListener: Sendable {
    typealias Handler = @Sendable (KVOProbe.Announcement, Operation) -> Void

    /// Retained, so that no other operation gets its address.
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

    // MARK: - All listeners

    private static let all = LockedValue<[ObjectIdentifier: [KVOListener]]>([:])

    // Relaxed, and read before the lock: without listeners, a notification must not order the
    // notifying threads, or the sanitizer would miss a race between them.
    private static let count = Atomic(0)

    static func hear(
      _ announcement: @autoclosure () -> KVOProbe.Announcement?, from operation: Operation
    ) {
      guard count.load(ordering: .relaxed) > 0, let announcement = announcement() else { return }
      let listeners = all.withLock { $0[ObjectIdentifier(operation)] ?? [] }
      for listener in listeners { listener.handler(announcement, operation) }
    }

    /// Notifies the listeners of operations that depend on `operation` that these may have become
    /// ready.
    static func hearReadiness(after operation: Operation) {
      guard count.load(ordering: .relaxed) > 0 else { return }
      let operations = all.withLock { $0.values.compactMap { $0.first?.operation } }
      for dependent in operations where dependent.dependencies.contains(operation) {
        hear(.will(.isReady), from: dependent)
        hear(.did(.isReady), from: dependent)
      }
    }
  }

  // MARK: - The interposed methods

  // The names are the mangled names of Foundation's methods; extension methods of Operation share
  // their calling convention. Never call these from Swift by their Swift names.
  //
  // `@usableFromInline` instead of `public`: other libraries must find the symbols, and specs don't
  // need the names.

  extension Operation {
    /// Intercepts `willChangeValue(forKey:)`.
    @usableFromInline
    @_silgen_name("$s10Foundation9OperationC15willChangeValue6forKeyySS_tF")
    func interposedWillChangeValue(forKey key: String) {
      KVORehearsal.note(KVOProbe.Key(name: key)?.rawValue ?? key, of: self)
      KVOListener.hear(KVOProbe.Key(name: key).map { .will($0) }, from: self)
      Original.method(Original.willChangeKey, of: self, as: ByKey.self)?.call(key)
    }

    /// Intercepts `didChangeValue(forKey:)`.
    @usableFromInline
    @_silgen_name("$s10Foundation9OperationC14didChangeValue6forKeyySS_tF")
    func interposedDidChangeValue(forKey key: String) {
      guard KVORehearsal.counts(KVOProbe.Key(name: key)?.rawValue ?? key, of: self) else { return }
      KVOListener.hear(KVOProbe.Key(name: key).map { .did($0) }, from: self)
      Original.method(Original.didChangeKey, of: self, as: ByKey.self)?.call(key)
      KVORehearsal.follow(KVOProbe.Key(name: key), of: self)
    }

    /// Intercepts `willChangeValue(for:)`.
    @usableFromInline
    @_silgen_name("$s10Foundation9OperationC15willChangeValue3forys7KeyPathCyACxG_tlF")
    func interposedWillChangeValue<Value>(for keyPath: KeyPath<Operation, Value>) {
      KVORehearsal.note(KVOProbe.Key(keyPath)?.rawValue ?? "\(keyPath)", of: self)
      KVOListener.hear(KVOProbe.Key(keyPath).map { .will($0) }, from: self)
      Original.method(Original.willChangePath, of: self, as: ByPath.self)?
        .call(keyPath, unsafeBitCast(Value.self as Any.Type, to: UnsafeRawPointer.self))
    }

    /// Intercepts `didChangeValue(for:)`.
    @usableFromInline
    @_silgen_name("$s10Foundation9OperationC14didChangeValue3forys7KeyPathCyACxG_tlF")
    func interposedDidChangeValue<Value>(for keyPath: KeyPath<Operation, Value>) {
      guard KVORehearsal.counts(KVOProbe.Key(keyPath)?.rawValue ?? "\(keyPath)", of: self) else {
        return
      }
      KVOListener.hear(KVOProbe.Key(keyPath).map { .did($0) }, from: self)
      Original.method(Original.didChangePath, of: self, as: ByPath.self)?
        .call(keyPath, unsafeBitCast(Value.self as Any.Type, to: UnsafeRawPointer.self))
      KVORehearsal.follow(KVOProbe.Key(keyPath), of: self)
    }

    /// Adds the notifications that Apple's Foundation sends to all observers when an operation is
    /// cancelled.
    @usableFromInline
    @_silgen_name("$s10Foundation9OperationC6cancelyyF")
    func interposedCancel() {
      let isObserved = KVORehearsal.isOn && !isFinished
      if isObserved { KVOListener.hear(.will(.isReady), from: self) }
      Original.method(Original.cancel, of: self, as: Plain.self)?.call()
      if isObserved { KVOListener.hear(.did(.isReady), from: self) }
    }
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

  // A closure is an address and a context, and the context is passed in the same register as a
  // method's self. So an original method's address with the operation as context is a closure with
  // that method's parameters. As a struct's only field it keeps the natural convention.

  /// A method without parameters.
  private struct Plain {
    let call: () -> Void
  }

  /// A method with a key.
  private struct ByKey {
    let call: (String) -> Void
  }

  /// A method with a key path and, since it's generic, the type of its value.
  private struct ByPath {
    let call: (AnyKeyPath, UnsafeRawPointer) -> Void
  }

  /// The addresses of Foundation's own methods.
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

    /// The address of the next library's definition of `symbol`, after this binary's own.
    private static func address(_ symbol: String) -> UnsafeMutableRawPointer? {
      // RTLD_NEXT is a cast in C, which Swift doesn't import.
      dlsym(UnsafeMutableRawPointer(bitPattern: -1), symbol)
    }
  }
#endif
