import KataPictures

/// Follows a run of tests from outside.
package protocol RunObserver: Sendable {
  /// A wait has ended, so the test makes progress.
  func waitEnded()

  /// The code under test was run in this many more schedules.
  func explored(_ schedules: Int)

  /// A test has created a timeline.
  func began(_ timeline: Timeline)

  /// An expectation has failed with `sentence`; its picture shows `events`.
  func objected(_ sentence: String, _ events: [TimelineEvent])
}

package enum RunObservers {
  /// The observer of this process, if it has one.
  package static let current = LockedValue<(any RunObserver)?>(nil)
}
