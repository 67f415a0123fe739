/// Explanations for learners of the compiler errors that these katas typically produce.
///
/// The compiler says what is wrong in terms of the type system. These explain what that means for a
/// class that threads share, and how to fix it.
package enum CompilerAdvice: CaseIterable {
  case mutableState, sharedValue, capturedValue, capturedVariable, sentValue, actorsState, openClass
  case explicitSelf, escapingParameter, operationsFlag, globalVariable, waitingInTask,
    asynchronousCall

  /// The page that says more.
  package static let page = "CompilerErrors"

  /// The advice for a message, if there is any.
  init?(on message: String) {
    guard let advice = Self.allCases.first(where: { message.contains($0.pattern) }) else {
      return nil
    }
    self = advice
  }

  /// The compiler's message, as Swift 6.3 words it.
  private var pattern: Regex<Substring> {
    switch self {
    case .mutableState: #/stored property '.*' of 'Sendable'-conforming .* is mutable/#
    case .sharedValue:
      #/stored property '.*' of 'Sendable'-conforming .* (?:has|contains) non-Sendable type/#
    case .capturedValue:
      #/capture of '.*' with non-Sendable type|(?:passing|converting) non-Sendable (?:parameter|function)/#
    case .capturedVariable: #/(?:mutation of|reference to) captured var '/#
    case .sentValue: #/sending .*risks causing data races|'sending' parameter/#
    case .actorsState: #/main actor-isolated .* (?:from (?:a|outside)|in a synchronous)/#
    case .openClass: #/non-final class '.*' cannot conform to/#
    case .explicitSelf: #/requires explicit use of 'self'|explicit use of 'self' is required/#
    case .escapingParameter: #/non-escaping parameter '/#
    case .operationsFlag:
      #/cannot override with a stored property 'is|'is(?:Executing|Finished|Cancelled|Ready)' is a get-only/#
    case .globalVariable: #/is not concurrency-safe because/#
    case .waitingInTask: #/is unavailable from asynchronous contexts/#
    case .asynchronousCall:
      #/in a function that does not support concurrency|to parameter expecting synchronous function type/#
    }
  }

  /// The section of the page that says more.
  var heading: String {
    switch self {
    case .mutableState: "Mutable state in a Sendable class"
    case .sharedValue: "A value that isn't Sendable in a class that is"
    case .capturedValue: "A closure that captures what isn't Sendable"
    case .capturedVariable: "A variable that two threads would share"
    case .sentValue: "A value that is sent away and used here"
    case .actorsState: "State of the main actor"
    case .openClass: "A class that others may subclass"
    case .explicitSelf: "self in a closure that stays"
    case .escapingParameter: "A closure that is gone when the function returns"
    case .operationsFlag: "The flags of an operation"
    case .globalVariable: "Global variables"
    case .waitingInTask: "Waiting in asynchronous code"
    case .asynchronousCall: "await where nothing can wait"
    }
  }

  /// What the error means, and how to fix it.
  var text: String {
    switch self {
    case .mutableState:
      """
      `Sendable` promises that threads may share it, and the compiler can't see what protects a variable. Decide \
      what does: a queue, a lock, a `Mutex`. Once every access goes through that, `nonisolated(unsafe)` in front of \
      the variable says that you answer for it.
      """
    case .sharedValue:
      """
      Threads may share this class, and with it this value. Make the value's type `Sendable` (a closure: \
      `@Sendable`), or protect the property and answer for it with `nonisolated(unsafe)`.
      """
    case .capturedValue:
      """
      The closure may run on another thread, and would use the value there while it's used here. Give it \
      `Sendable` values: a copy of what it needs, a closure marked `@Sendable`, or an object that protects its \
      state and is marked `Sendable`.
      """
    case .capturedVariable:
      """
      The closure may run at the same time as the code around it, so both would use one variable: a data race. Keep \
      a variable that changes in an object that protects it, and capture a copy of what the closure only reads: \
      `[count]`.
      """
    case .sentValue:
      """
      The value goes to code that may run at the same time, and this code or its caller may still use it. Use it on one \
      side only, mark a parameter `sending`, or make the type `Sendable`.
      """
    case .actorsState:
      """
      State of the main actor may be used only on the main thread, and this code may run on any. Switch to it \
      first, with `DispatchQueue.main.async`, or keep the state elsewhere. No kata needs `@MainActor`.
      """
    case .openClass:
      """
      A subclass could add variables that nothing protects. Make the class `final`. If it's meant to be subclassed, \
      `@unchecked Sendable` says that you answer for it.
      """
    case .explicitSelf:
      """
      The closure is stored, and retains this object. Begin it with `{ [self] in` if you want that, or with \
      `{ [weak self] in` if the object may be released first; then write `self?.`.
      """
    case .escapingParameter:
      """
      The closure would be stored for later, by `async` or in a property, but this parameter may only be called before \
      the function returns. `sync` may call it, since it waits. To store it, mark the parameter `@escaping`, and \
      `@Sendable` as well if it's passed to `async`.
      """
    case .operationsFlag:
      """
      Foundation's flags can't be set. Keep a state of your own, override the flag to compute its value from that, \
      and send key-value observing notifications for each change.
      """
    case .globalVariable:
      """
      Any thread may use a global variable, and nothing protects it. Make it a `let` of a `Sendable` type, or keep it \
      in an object that protects it.
      """
    case .waitingInTask:
      """
      Tasks share few threads, and a wait here blocks one of them for all others. For a lock use `withLock`, which holds \
      it only for its closure. Wait for anything longer outside the task.
      """
    case .asynchronousCall:
      """
      Only an `async` function or closure can await. The functions of the katas aren't `async`, and a block of \
      `queue.async` isn't either. Start asynchronous work there with a `Task`.
      """
    }
  }
}
