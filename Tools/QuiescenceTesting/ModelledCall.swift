/// A call that a ``Scenario`` makes: on the object under test, and on a model of it.
///
/// ```swift
/// ModelledCall<BoundedBuffer<Int>, [Int]>("take()") { buffer in
///   buffer.take()
/// } step: { elements in
///   elements.isEmpty ? .waits : .returns(elements.removeFirst())
/// }
/// ```
public struct ModelledCall<Subject: Sendable, Model: Sendable>: Sendable {
  /// What messages show: the call as it stands in code.
  public let name: String

  let perform: @Sendable (Subject) -> String
  /// Nil where the call would have to wait.
  let foretell: @Sendable (inout Model) -> String?
  private(set) var isOnlyOnce = false

  /// The same call, made at most once in a scenario: as an operation is started once, and takes time to do so.
  public var onlyOnce: Self {
    var call = self
    call.isOnlyOnce = true
    return call
  }

  /// Creates a call that may have to wait for another.
  ///
  /// Results are compared as texts, so they need nothing but to differ in what they show.
  ///
  /// - Parameters:
  ///   - name: What messages show.
  ///   - body: Makes the call, on a thread of the scenario's. It may block.
  ///   - step: Does the same to the model, and says what comes of it. Where the call has to wait, it changes nothing.
  public init<Result>(
    _ name: String, _ body: @escaping @Sendable (Subject) -> Result,
    step: @escaping @Sendable (inout Model) -> ModelStep<Result>
  ) {
    self.name = name
    perform = { describe(body($0)) }
    foretell = { state in
      switch step(&state) {
      case .returns(let result): describe(result)
      case .waits: nil
      }
    }
  }

  /// Creates a call that never has to wait for another.
  ///
  /// - Parameters:
  ///   - name: What messages show.
  ///   - body: Makes the call, on a thread of the scenario's.
  ///   - model: Does the same to the model, and returns what comes of it.
  public init<Result>(
    _ name: String, _ body: @escaping @Sendable (Subject) -> Result,
    model: @escaping @Sendable (inout Model) -> Result
  ) {
    self.init(name, body, step: { .returns(model(&$0)) })
  }
}

extension ModelledCall where Model == Void {
  /// Creates a call that has to return, whatever it returns; what else is asked of it says the subject's check.
  public init(_ name: String, _ body: @escaping @Sendable (Subject) -> Void) {
    self.init(name, body, model: { _ in })
  }
}

/// What a call comes to in a model.
public enum ModelStep<Result> {
  /// It returns this, or throws this error, where errors are results.
  case returns(Result)
  /// It has to wait for what another call does.
  case waits
}

extension ModelStep where Result == Void {
  /// It returns.
  public static var returns: Self { .returns(()) }
}

/// A result as text: what an optional has in it, and nothing for nothing.
private func describe<Result>(_ result: Result) -> String {
  if let optional = result as? any OptionalResult { return optional.text }
  return result is Void ? "returned" : "\(result)"
}

private protocol OptionalResult {
  var text: String { get }
}

extension Optional: OptionalResult {
  fileprivate var text: String { map { describe($0) } ?? "nil" }
}
