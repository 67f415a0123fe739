import KataTesting
import Testing

/// Makes two calls on two threads, one after the other, with nothing that orders them.
func meet(
  _ name: String, _ first: @escaping @Sendable () -> Void,
  _ second: @escaping @Sendable () -> Void, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let meeting = RelaxedRendezvous()
  let looking = meeting.looker(name, second)
  let changing = TestThread(name) {
    first()
    meeting.changed()
  }
  try changing.result(timersInPlay: true, sourceLocation: sourceLocation)
  try looking.result(timersInPlay: true, sourceLocation: sourceLocation)
}
