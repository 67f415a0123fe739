import KataTesting

/// Starts a thread that looks at something when `meeting` comes about.
///
/// Returns when that thread waits: a thread that starts later goes through locks of Foundation's,
/// which could order it after the change and hide a race.
func threadThatMeets(
  _ name: String, at meeting: UnorderedMeeting, _ body: @escaping @Sendable () -> Void
) -> Participant<Void> {
  let isThere = Gate("the looking thread")
  let participant = Participant(name) {
    isThere.open()
    meeting.look(body)
  }
  isThere.wait()
  return participant
}
