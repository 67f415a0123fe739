#if canImport(Darwin)
  import Foundation

  extension LoopbackSocket {
    static let streamType = SOCK_STREAM
    static let bothWays = SHUT_RDWR
    static let peek = MSG_PEEK
    static let sendFlags: Int32 = 0

    /// Makes a client that has hung up an error here, not a signal.
    func silenceBrokenPipe() {
      var on: Int32 = 1
      setsockopt(
        descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    }
  }
#endif
