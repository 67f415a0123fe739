/// A few calls on one fresh object, made by two to four threads, and what may come of them.
///
/// A run of it is right where *some* order of the calls, one after another, gives the same: the results of the
/// calls, which of them never return, and what the object shows in the end. Known as linearizability.
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
  ///   - subject: How an object is made, and its model.
  ///   - threads: The calls of each thread.
  public init(
    _ subject: ModelledSubject<Subject, Model>, threads: [[ModelledCall<Subject, Model>]]
  ) {
    self.subject = subject
    self.threads = threads
  }

  /// The names of each thread's calls.
  var calls: [[String]] { threads.map { $0.map { $0.name } } }

  /// The orders in which the threads can begin: of those that make the same calls, the first begins first.
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

  /// What makes no sense in it, as a sentence; nil where it does.
  var fault: String? {
    if !(1...4).contains(threads.count) {
      return "A scenario has one to four threads; this one has \(threads.count)."
    }
    return threads.contains { $0.isEmpty }
      ? "A thread of a scenario makes one call at least; one of '\(name)' makes none." : nil
  }

  /// All outcomes that some order of the calls gives, one after another.
  func explainedOutcomes() -> Set<ScenarioOutcome> {
    var outcomes: Set<ScenarioOutcome> = []
    func goOn(_ model: Model, _ results: [[String]]) {
      var isOver = true
      for (thread, calls) in threads.enumerated() where results[thread].count < calls.count {
        var next = model
        guard let result = calls[results[thread].count].foretell(&next) else { continue }
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

/// How a scenario's object is made, the model of it, and what of the two is compared in the end.
public struct ModelledSubject<Subject: Sendable, Model: Sendable>: Sendable {
  let make: @Sendable () -> Subject
  let model: Model
  let end: @Sendable (Subject) -> String
  let modelEnd: @Sendable (Model) -> String
  let letGo: @Sendable (Subject) -> Void
  /// Whether what it shows in the end is a sentence on what is wrong.
  private(set) var isChecked = false

  /// Creates it.
  ///
  /// - Parameters:
  ///   - model: The model of a fresh object.
  ///   - make: Makes a fresh object, together with what records its callbacks where there are any.
  ///   - letGo: Called when a run is over: makes calls return that still wait, so that no threads are left behind.
  public init(
    model: Model, _ make: @escaping @Sendable () -> Subject,
    letGo: @escaping @Sendable (Subject) -> Void = { _ in }
  ) {
    self.init(model: model, make, end: { _ in "" }, modelEnd: { _ in "" }, letGo: letGo)
  }

  /// Creates it, with something that object and model must agree on when all is over.
  ///
  /// - Parameters:
  ///   - model: The model of a fresh object.
  ///   - make: Makes a fresh object, together with what records its callbacks where there are any.
  ///   - end: What the object shows once nothing moves any more: its state, the notices that came.
  ///   - modelEnd: The same of the model.
  ///   - letGo: Called when a run is over: makes calls return that still wait, so that no threads are left behind.
  public init(
    model: Model, _ make: @escaping @Sendable () -> Subject,
    end: @escaping @Sendable (Subject) -> String, modelEnd: @escaping @Sendable (Model) -> String,
    letGo: @escaping @Sendable (Subject) -> Void = { _ in }
  ) {
    self.model = model
    self.make = make
    self.end = end
    self.modelEnd = modelEnd
    self.letGo = letGo
  }
}

extension ModelledSubject where Model == Void {
  /// Creates a subject without a model, which is checked when all is over.
  ///
  /// - Parameters:
  ///   - make: Makes a fresh object, together with what records its callbacks where there are any.
  ///   - check: Called once nothing moves any more: says what is wrong, in a sentence, or returns nil.
  ///   - letGo: Called when a run is over: makes calls return that still wait, so that no threads are left behind.
  public init(
    _ make: @escaping @Sendable () -> Subject, check: @escaping @Sendable (Subject) -> String?,
    letGo: @escaping @Sendable (Subject) -> Void = { _ in }
  ) {
    self.init(model: (), make, end: { check($0) ?? "" }, modelEnd: { "" }, letGo: letGo)
    isChecked = true
  }
}

/// What came of one run of a scenario.
struct ScenarioOutcome: Hashable, Sendable {
  /// The results of the calls, by thread; those are missing that never returned, or were never made.
  var results: [[String]]
  /// What the object showed in the end.
  var end: String
}
