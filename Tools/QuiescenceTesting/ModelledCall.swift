/// A call that a ``Scenario`` makes, both on the object under test and on a model of it.
///
/// ```swift
/// ModelledCall<BoundedBuffer<Int>, [Int]>("take()") { buffer in
///   buffer.take()
/// } step: { elements in
///   elements.isEmpty ? .waits : .returns(elements.removeFirst())
/// }
/// ```
public struct ModelledCall<Subject: Sendable, Model: Sendable>: Sendable {
  /// The call as it's written in code, for messages.
  public let name: String

  let perform: @Sendable (Subject) -> String
  /// The predicted result; nil if the call would have to wait.
  let predict: @Sendable (inout Model) -> String?
  private(set) var isOnlyOnce = false

  /// The same call, made at most once in a scenario: for example, an operation is started only
  /// once.
  public var onlyOnce: Self {
    var call = self
    call.isOnlyOnce = true
    return call
  }

  /// Creates a call that may have to wait for another call.
  ///
  /// Results are compared by their descriptions, so different results need different descriptions.
  ///
  /// - Parameters:
  ///   - name: The call as messages show it.
  ///   - body: Makes the call on one of the scenario's threads. It may block.
  ///   - step: Does the same to the model, and returns the result. If the call has to wait, it
  ///     changes nothing.
  public init<Result>(
    _ name: String, _ body: @escaping @Sendable (Subject) -> Result,
    step: @escaping @Sendable (inout Model) -> ModelStep<Result>
  ) {
    self.name = name
    perform = { describe(body($0)) }
    predict = { state in
      switch step(&state) {
      case .returns(let result): describe(result)
      case .waits: nil
      }
    }
  }

  /// Creates a call that never has to wait for another call.
  ///
  /// - Parameters:
  ///   - name: The call as messages show it.
  ///   - body: Makes the call on one of the scenario's threads.
  ///   - model: Does the same to the model, and returns the result.
  public init<Result>(
    _ name: String, _ body: @escaping @Sendable (Subject) -> Result,
    model: @escaping @Sendable (inout Model) -> Result
  ) {
    self.init(name, body, step: { .returns(model(&$0)) })
  }
}

extension ModelledCall where Model == Void {
  /// Creates a call that must return, with any result; the subject's check judges its effect.
  public init(_ name: String, _ body: @escaping @Sendable (Subject) -> Void) {
    self.init(name, body, model: { _ in })
  }
}

/// The outcome of a call on a model.
public enum ModelStep<Result> {
  /// It returns this value, or throws this error if errors are results.
  case returns(Result)
  /// It has to wait for another call.
  case waits
}

extension ModelStep where Result == Void {
  /// It returns.
  public static var returns: Self { .returns(()) }
}

/// A result as text: an optional's value, and the empty text for nil.
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
