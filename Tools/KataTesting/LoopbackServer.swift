import Foundation

/// An HTTP server on this machine's loopback interface, for specs of code that downloads.
///
/// It listens on a free port and answers each request as the spec says: with a status, slowly, or
/// by hanging up halfway. Each connection has a thread of its own, and carries one request. The
/// server stops when it's released. It never connects to another machine.
///
/// Networking code has timers of its own: wait for a download's effects with `timersInPlay`, and
/// don't expect the process to become quiet while one is running.
public final class LoopbackServer: Sendable, OpaqueMirror {
  /// How the server replies to a request.
  public enum Reply: Sendable {
    /// A whole response.
    case response(status: Int = 200, body: Data)
    /// The head and half of the body; the rest when the gate opens.
    case slowly(body: Data, until: Gate)
    /// The head and half of the body; then it hangs up.
    case hangUp(body: Data)
  }

  private let listener: LoopbackSocket
  private let log = LockedValue<[String]>([])
  private let hangUps = SharedCounter()
  private let open = LockedValue<Set<Int32>>([])

  /// Starts a server.
  ///
  /// - Parameter reply: Chooses the reply to a request for a path, such as "/town.ppm"; called on
  ///   the connection's thread.
  /// - Throws: The system's error if it gives no socket.
  public init(_ reply: @escaping @Sendable (_ path: String) -> Reply) throws {
    let listener = try LoopbackSocket.listening()
    self.listener = listener
    let (log, hangUps, open) = (log, hangUps, open)
    Thread.detachNewThread {
      Thread.current.name = "loopback server"
      while let connection = listener.accept() {
        open.withLock { _ = $0.insert(connection.descriptor) }
        Thread.detachNewThread {
          Self.serve(connection, log: log, hangUps: hangUps, reply)
          open.withLock { _ = $0.remove(connection.descriptor) }
          connection.close()
        }
      }
      listener.close()
    }
  }

  deinit {
    open.withLock { open in
      for descriptor in open { LoopbackSocket(descriptor: descriptor).shutDown() }
    }
    listener.stopAccepting()
  }

  /// The URL of a path on this server.
  public func url(_ path: String) -> URL { Self.url(path, port: listener.port) }

  /// The paths of all requests so far, in the order of their arrival.
  public var requests: [String] { log.withLock { $0 } }

  /// The number of clients that have hung up before they had the whole response.
  public var clientsThatHungUp: Int { hangUps.value }

  /// A URL on this machine at which no server listens.
  ///
  /// - Throws: The system's error if it gives no socket.
  public static func deadEnd() throws -> URL {
    let socket = try LoopbackSocket.listening()
    socket.close()
    return url("/", port: socket.port)
  }

  // MARK: - One connection

  private static func serve(
    _ connection: LoopbackSocket, log: LockedValue<[String]>, hangUps: SharedCounter,
    _ reply: (String) -> Reply
  ) {
    Thread.current.name = "loopback connection"
    guard let path = requestedPath(connection) else { return }
    log.withLock { $0.append(path) }
    switch reply(path) {
    case .response(let status, let body):
      connection.send(head(status: status, length: body.count) + body)
    case .hangUp(let body):
      connection.send(head(status: 200, length: body.count) + body.prefix(body.count / 2))
    case .slowly(let body, let gate):
      connection.send(head(status: 200, length: body.count) + body.prefix(body.count / 2))
      let stage = LockedValue(Stage.waiting)
      Thread.detachNewThread {
        gate.wait()
        let isInTime = stage.withLock { stage in
          if stage == .waiting { stage = .sending }
          return stage == .sending
        }
        // The client may hang up now; its request has been answered.
        if isInTime { connection.send(body.dropFirst(body.count / 2)) }
        stage.withLock { $0 = .over }
      }
      // A client that waits for the rest sends nothing; the end of its side means that it has hung
      // up.
      while !connection.receive().isEmpty {}
      let isEarly = stage.withLock { stage in
        defer { if stage == .waiting { stage = .over } }
        return stage == .waiting
      }
      if isEarly { hangUps.increment() }
      while stage.withLock({ $0 != .over }) { usleep(1_000) }
    }
  }

  private enum Stage {
    case waiting, sending, over
  }

  /// Reads the head of a request, and returns its path; nil if it isn't a request.
  private static func requestedPath(_ connection: LoopbackSocket) -> String? {
    var head = Data()
    while head.range(of: Data("\r\n\r\n".utf8)) == nil {
      let bytes = connection.receive()
      guard !bytes.isEmpty, head.count < 65_536 else { return nil }
      head += bytes
    }
    let words = String(decoding: head, as: UTF8.self).split(separator: " ", maxSplits: 2)
    return words.count == 3 ? String(words[1]) : nil
  }

  private static func url(_ path: String, port: UInt16) -> URL {
    guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else {
      preconditionFailure("'\(path)' isn't the path of a URL; it begins with a slash.")
    }
    return url
  }

  private static func head(status: Int, length: Int) -> Data {
    let lines = [
      "HTTP/1.1 \(status) Status",
      "Content-Length: \(length)", "Content-Type: application/octet-stream",
      "Cache-Control: no-store", "Connection: close",
    ]
    return Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }
}
