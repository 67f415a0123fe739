#if canImport(Glibc) || canImport(Musl)
  import Foundation

  extension LoopbackSocket {
    static let streamType = Int32(SOCK_STREAM.rawValue)
    static let bothWays = Int32(SHUT_RDWR)
    static let peek = Int32(MSG_PEEK)
    /// A client that has hung up is an error here, not a signal.
    static let sendFlags = Int32(MSG_NOSIGNAL)

    func silenceBrokenPipe() {}
  }
#endif
