import Foundation
import KataTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite(.serialized, .kata) struct LoopbackServerTests {
  private let body = Data((0..<10_000).map { UInt8(truncatingIfNeeded: $0) })

  /// What a client gets: the status and the bytes, or an error's code.
  private struct Answer: Sendable, Equatable {
    var status: Int?
    var bytes: Data?
    var error: URLError.Code?
  }

  /// Asks for a URL; the task can be cancelled.
  private func ask(
    _ url: URL, _ answers: Answers
  ) -> URLSessionDataTask {
    let session = URLSession(configuration: .ephemeral)
    let task = session.dataTask(with: url) { bytes, response, error in
      answers.add(
        Answer(
          status: (response as? HTTPURLResponse)?.statusCode, bytes: error == nil ? bytes : nil,
          error: (error as? URLError)?.code))
    }
    task.resume()
    session.finishTasksAndInvalidate()
    return task
  }

  private final class Answers: Sendable {
    // Safe: guarded by `lock`.
    private nonisolated(unsafe) var all: [Answer] = []
    private let lock = NSLock()

    func add(_ answer: Answer) { lock.withLock { all.append(answer) } }
    var received: [Answer] { lock.withLock { all } }
  }

  @Test(arguments: [200, 204, 404, 503]) func `a status and a body arrive`(status: Int) throws {
    let sent = status == 204 ? Data() : body
    let server = try LoopbackServer { _ in .response(status: status, body: sent) }
    let answers = Answers()
    _ = ask(server.url("/picture.ppm"), answers)
    eventually("No answer.", timersInPlay: true) { !answers.received.isEmpty }
    #expect(answers.received.first?.status == status)
    #expect(answers.received.first?.bytes ?? Data() == sent)
    #expect(server.requests == ["/picture.ppm"])
    #expect(server.clientsThatHungUp == 0)
  }

  @Test func `a slow body comes when its gate opens`() throws {
    let gate = Gate()
    let server = try LoopbackServer { [body] _ in .slowly(body: body, until: gate) }
    let answers = Answers()
    _ = ask(server.url("/"), answers)
    eventually("No request.", timersInPlay: true) { !server.requests.isEmpty }
    #expect(answers.received.isEmpty)
    gate.open()
    eventually("No answer.", timersInPlay: true) { !answers.received.isEmpty }
    #expect(answers.received == [Answer(status: 200, bytes: body)])
    #expect(server.clientsThatHungUp == 0)
  }

  @Test func `a client that hangs up is counted`() throws {
    let gate = Gate()
    let server = try LoopbackServer { [body] _ in .slowly(body: body, until: gate) }
    let answers = Answers()
    let task = ask(server.url("/"), answers)
    eventually("No request.", timersInPlay: true) { !server.requests.isEmpty }
    task.cancel()
    eventually("No answer.", timersInPlay: true) { !answers.received.isEmpty }
    #expect(answers.received.first?.error == .cancelled)
    #expect(eventually("Not counted.", timersInPlay: true) { server.clientsThatHungUp == 1 })
  }

  @Test func `a connection that breaks is an error`() throws {
    let server = try LoopbackServer { [body] _ in .hangUp(body: body) }
    let answers = Answers()
    _ = ask(server.url("/"), answers)
    eventually("No answer.", timersInPlay: true) { !answers.received.isEmpty }
    #expect(answers.received.first?.error != nil)
  }

  @Test func `a dead end refuses`() throws {
    let answers = Answers()
    _ = ask(try LoopbackServer.deadEnd(), answers)
    eventually("No answer.", timersInPlay: true) { !answers.received.isEmpty }
    #expect(answers.received.first?.error == .cannotConnectToHost)
  }

  @Test func `many clients are served at once`() throws {
    let gate = Gate()
    let server = try LoopbackServer { .slowly(body: Data($0.utf8), until: gate) }
    let answers = Answers()
    for client in 0..<5 { _ = ask(server.url("/\(client)"), answers) }
    eventually("Not all came.", timersInPlay: true) { server.requests.count == 5 }
    gate.open()
    eventually("Not all were answered.", timersInPlay: true) { answers.received.count == 5 }
    #expect(Set(answers.received.compactMap(\.bytes)).count == 5)
  }

  @Test func `a server that is released stops`() throws {
    let url = try LoopbackServer { [body] _ in .response(body: body) }.url("/")
    eventually("It still answers.", timersInPlay: true) {
      let answers = Answers()
      _ = ask(url, answers)
      eventually("No answer.", timersInPlay: true) { !answers.received.isEmpty }
      return answers.received.first?.error != nil
    }
  }
}
