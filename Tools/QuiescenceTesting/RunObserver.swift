import KataPictures

/// Follows a run of tests from outside.
package protocol RunObserver: Sendable {
  /// A wait has ended, so the test makes progress.
  func waitEnded()

  /// The code under test was run in this many more schedules.
  func explored(_ schedules: Int)

  /// A run of a scenario begins, and those before it matter no more.
  func runBegan()

  /// The calls of a run have come to rest; what follows is the test's own work.
  func runEnded()

  /// A test has created a timeline.
  func began(_ timeline: Timeline)

  /// An expectation has failed with `sentence`; its picture shows `events`.
  func objected(_ sentence: String, _ events: [TimelineEvent])
}

package enum RunObservers {
  /// The observer of this process, if it has one.
  package static let current = LockedValue<(any RunObserver)?>(nil)
}
