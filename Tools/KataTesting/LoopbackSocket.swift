import Foundation

/// A TCP socket on the loopback interface, with blocking calls.
struct LoopbackSocket: Sendable {
  /// A system call that failed.
  struct Failure: Error, CustomStringConvertible {
    let call: String
    let code: Int32

    var description: String { "\(call) failed: \(String(cString: strerror(code)))" }
  }

  let descriptor: Int32
  /// The port that the socket listens on.
  var port: UInt16 = 0

  /// Returns a socket that listens on a free port.
  static func listening() throws -> LoopbackSocket {
    let descriptor = socket(AF_INET, streamType, 0)
    guard descriptor >= 0 else { throw Failure(call: "socket", code: errno) }
    var address = loopbackAddress(port: 0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound =
      withSockaddr(&address) { bind(descriptor, $0, size) } == 0
      && listen(descriptor, 64) == 0
      && withSockaddr(&address) { getsockname(descriptor, $0, &size) } == 0
    guard isBound else {
      let code = errno
      _ = Foundation.close(descriptor)
      throw Failure(call: "bind", code: code)
    }
    return LoopbackSocket(descriptor: descriptor, port: UInt16(bigEndian: address.sin_port))
  }

  /// Waits for the next client's connection; nil if there will be none.
  func accept() -> LoopbackSocket? {
    while true {
      let client = Foundation.accept(descriptor, nil, nil)
      guard client >= 0 else {
        if errno == EINTR || errno == ECONNABORTED { continue }
        return nil
      }
      let connection = LoopbackSocket(descriptor: client)
      // A client that only wakes this thread sends a null as its first byte.
      if connection.isWakeUpCall {
        connection.close()
        return nil
      }
      connection.silenceBrokenPipe()
      return connection
    }
  }

  /// Ends `accept` on the thread that waits in it.
  func stopAccepting() {
    let caller = socket(AF_INET, Self.streamType, 0)
    var address = Self.loopbackAddress(port: port)
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    guard caller >= 0, Self.withSockaddr(&address, { connect(caller, $0, size) }) == 0 else {
      return
    }
    let connection = LoopbackSocket(descriptor: caller)
    connection.silenceBrokenPipe()
    connection.send(Data([0]))
    connection.close()
  }

  private var isWakeUpCall: Bool {
    var byte: UInt8 = 1
    return recv(descriptor, &byte, 1, Self.peek) == 1 && byte == 0
  }

  /// Waits for bytes and returns them; empty at the end.
  func receive() -> Data {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count >= 0 { return Data(buffer[..<count]) }
      if errno != EINTR { return Data() }
    }
  }

  /// Sends all of `bytes`, as far as the other side accepts them.
  func send(_ bytes: Data) {
    var rest = [UInt8](bytes)[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress, $0.count, Self.sendFlags)
      }
      if sent > 0 {
        rest = rest.dropFirst(sent)
      } else if errno != EINTR {
        return
      }
    }
  }

  /// Ends both directions; a thread that waits for bytes continues.
  func shutDown() { _ = shutdown(descriptor, Self.bothWays) }

  func close() { _ = Foundation.close(descriptor) }

  private static func loopbackAddress(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    return address
  }

  private static func withSockaddr<Result>(
    _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>) -> Result
  ) -> Result {
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
    }
  }
}
