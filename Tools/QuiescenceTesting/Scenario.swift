/// A few calls on one fresh object, made by up to four threads, and their possible outcomes.
///
/// A run is right if *some* sequential order of the calls gives the same outcome: the results of
/// the calls, which of them never return, and the object's state at the end. This is
/// linearizability.
public struct Scenario<Subject: Sendable, Model: Sendable>: Sendable {
  /// The calls of each thread, in their order.
  public let threads: [[ModelledCall<Subject, Model>]]

  let subject: ModelledSubject<Subject, Model>

  /// The calls as messages show them.
  public var name: String {
    threads.map { $0.map(\.name).joined(separator: ", ") }.joined(separator: " ∥ ")
  }

  /// Creates a scenario.
  ///
  /// - Parameters:
  ///   - subject: Makes an object, and has its model.
  ///   - threads: The calls of each thread.
  public init(
    _ subject: ModelledSubject<Subject, Model>, threads: [[ModelledCall<Subject, Model>]]
  ) {
    self.subject = subject
    self.threads = threads
  }

  /// The names of each thread's calls.
  var calls: [[String]] { threads.map { $0.map { $0.name } } }

  /// The orders in which the threads can start.
  ///
  /// Of threads that make the same calls, the first starts first.
  var orders: [[Int]] {
    let calls = calls
    return threads.indices.reduce([[]] as [[Int]]) { orders, _ in
      orders.flatMap { order in
        calls.indices.filter { thread in
          !order.contains(thread)
            && calls[..<thread].indices.allSatisfy {
              calls[$0] != calls[thread] || order.contains($0)
            }
        }.map { order + [$0] }
      }
    }
  }

  /// What is wrong with the scenario, as a sentence; nil if it's valid.
  var fault: String? {
    if !(1...4).contains(threads.count) {
      return "A scenario has one to four threads; this one has \(threads.count)."
    }
    return threads.contains { $0.isEmpty }
      ? "A thread of a scenario makes one call at least; one of '\(name)' makes none." : nil
  }

  /// All outcomes that some sequential order of the calls gives.
  func explainedOutcomes() -> Set<ScenarioOutcome> {
    var outcomes: Set<ScenarioOutcome> = []
    func goOn(_ model: Model, _ results: [[String]]) {
      var isOver = true
      for (thread, calls) in threads.enumerated() where results[thread].count < calls.count {
        var next = model
        guard let result = calls[results[thread].count].predict(&next) else { continue }
        isOver = false
        var longer = results
        longer[thread].append(result)
        goOn(next, longer)
      }
      if isOver { outcomes.insert(ScenarioOutcome(results: results, end: subject.modelEnd(model))) }
    }
    goOn(subject.model, threads.map { _ in [] })
    return outcomes
  }
}

/// How a scenario's object is made, its model, and what is compared at the end.
public struct ModelledSubject<Subject: Sendable, Model: Sendable>: Sendable {
  let make: @Sendable () -> Subject
  let model: Model
  let end: @Sendable (Subject) -> String
  let modelEnd: @Sendable (Model) -> String
  let tearDown: @Sendable (Subject) -> Void
  /// Whether the object's state at the end is a sentence that says what is wrong.
  private(set) var isChecked = false

  /// Creates a subject with a model.
  ///
  /// - Parameters:
  ///   - model: The model of a fresh object.
  ///   - make: Makes a fresh object, together with whatever records its callbacks.
  ///   - tearDown: Called after each run: makes calls return that still wait, so that no thread is
  ///     left behind.
  public init(
    model: Model, _ make: @escaping @Sendable () -> Subject,
    tearDown: @escaping @Sendable (Subject) -> Void = { _ in }
  ) {
    self.init(model: model, make, end: { _ in "" }, modelEnd: { _ in "" }, tearDown: tearDown)
  }

  /// Creates a subject whose object and model must also agree at the end.
  ///
  /// - Parameters:
  ///   - model: The model of a fresh object.
  ///   - make: Makes a fresh object, together with whatever records its callbacks.
  ///   - end: The object's state once everything is at rest, including the notifications that it
  ///     sent.
  ///   - modelEnd: The same of the model.
  ///   - tearDown: Called after each run: makes calls return that still wait, so that no thread is
  ///     left behind.
  public init(
    model: Model, _ make: @escaping @Sendable () -> Subject,
    end: @escaping @Sendable (Subject) -> String, modelEnd: @escaping @Sendable (Model) -> String,
    tearDown: @escaping @Sendable (Subject) -> Void = { _ in }
  ) {
    self.model = model
    self.make = make
    self.end = end
    self.modelEnd = modelEnd
    self.tearDown = tearDown
  }
}

extension ModelledSubject where Model == Void {
  /// Creates a subject without a model, which is checked at the end of each run.
  ///
  /// - Parameters:
  ///   - make: Makes a fresh object, together with whatever records its callbacks.
  ///   - check: Called once everything is at rest: returns a sentence that says what is wrong, or
  ///     nil.
  ///   - tearDown: Called after each run: makes calls return that still wait, so that no thread is
  ///     left behind.
  public init(
    _ make: @escaping @Sendable () -> Subject, check: @escaping @Sendable (Subject) -> String?,
    tearDown: @escaping @Sendable (Subject) -> Void = { _ in }
  ) {
    self.init(model: (), make, end: { check($0) ?? "" }, modelEnd: { "" }, tearDown: tearDown)
    isChecked = true
  }
}

/// The outcome of one run of a scenario.
struct ScenarioOutcome: Hashable, Sendable {
  /// The results of the calls, by thread, without calls that never returned or were never made.
  var results: [[String]]
  /// The object's state at the end.
  var end: String
}
