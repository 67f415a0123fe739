/// What learners are told below an error of the compiler's that these katas bring about.
///
/// The compiler says what is wrong in the words of the type system; these say what that means for a class that
/// threads share, and where the way out is.
package enum CompilerAdvice: CaseIterable {
  case mutableState, sharedValue, capturedValue, capturedVariable, sentValue, actorsState, openClass
  case explicitSelf, escapingParameter, operationsFlag, globalVariable, waitingInTask,
    asynchronousCall

  /// The page that says more.
  package static let page = "CompilerErrors"

  /// The advice on a message, if there is any.
  init?(on message: String) {
    guard let advice = Self.allCases.first(where: { message.contains($0.pattern) }) else {
      return nil
    }
    self = advice
  }

  /// What the compiler says, as Swift 6.3 words it.
  private var pattern: Regex<Substring> {
    switch self {
    case .mutableState: #/stored property '.*' of 'Sendable'-conforming .* is mutable/#
    case .sharedValue: #/stored property '.*' of 'Sendable'-conforming .* has non-Sendable type/#
    case .capturedValue:
      #/capture of '.*' with non-Sendable type|passing non-Sendable parameter '/#
    case .capturedVariable: #/(?:mutation of|reference to) captured var '/#
    case .sentValue: #/sending .*risks causing data races|'sending' parameter/#
    case .actorsState: #/actor-isolated .* from (?:a|outside)/#
    case .openClass: #/non-final class '.*' cannot conform to/#
    case .explicitSelf: #/requires explicit use of 'self'/#
    case .escapingParameter: #/non-escaping parameter '/#
    case .operationsFlag:
      #/cannot override with a stored property 'is|'is(?:Executing|Finished|Cancelled|Ready)' is a get-only/#
    case .globalVariable: #/is not concurrency-safe because/#
    case .waitingInTask: #/is unavailable from asynchronous contexts/#
    case .asynchronousCall: #/in a function that does not support concurrency/#
    }
  }

  /// The section of the page that says more.
  var heading: String {
    switch self {
    case .mutableState: "Mutable state in a Sendable class"
    case .sharedValue: "A value that isn't Sendable in a class that is"
    case .capturedValue: "A closure that takes along what isn't Sendable"
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

  /// What it means, and the way out.
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
      The closure may run on another thread, and would use the value there while it's used here. Give it what is \
      `Sendable`: a copy of what it needs, a closure marked `@Sendable`, or an object that protects its state and \
      says so.
      """
    case .capturedVariable:
      """
      The closure may run beside the code around it, so both would change one variable: a data race. Keep what is \
      changed in something that protects it, and give the closure what it only reads as a copy: `[count]`.
      """
    case .sentValue:
      """
      The value goes to code that may run beside this, and it's used here, too. Use it on one side only, or make it \
      `Sendable`.
      """
    case .actorsState:
      """
      What belongs to the main actor is touched on the main thread alone, and this code may run on any. Go there \
      first, with `DispatchQueue.main.async`, or keep the state elsewhere. No kata needs `@MainActor`.
      """
    case .openClass:
      """
      A subclass could add variables that nothing protects, so only a `final` class is checked. Where it's made to \
      be subclassed, `@unchecked Sendable` says that you answer for it.
      """
    case .explicitSelf:
      """
      The closure is kept, and keeps this object alive with it. Write `[self]` in front of it if that is meant, and \
      `[weak self]` if the object may go first.
      """
    case .escapingParameter:
      """
      `async` keeps the closure for later, and this one is gone when the function has returned. With `sync`, which \
      waits for it, it may be used; else its parameter must be `@escaping`.
      """
    case .operationsFlag:
      """
      Foundation's flags can't be set. Keep a state of your own, override the flag to compute its value from that, \
      and announce each change.
      """
    case .globalVariable:
      """
      Any thread may use a global variable, and nothing protects it. Make it a `let`, or a property of what is \
      protected.
      """
    case .waitingInTask:
      """
      A task runs on one of few threads that may not be made to wait. Use the form that takes a closure, such as \
      `withLock`, or wait outside of the task.
      """
    case .asynchronousCall:
      """
      Only a function marked `async` can await, and the kata's aren't. Where asynchronous work is to begin in one \
      that isn't, a `Task` begins it.
      """
    }
  }
}
