#if canImport(Glibc) || canImport(Musl)
  import Foundation
  import Testing

  @testable import QuiescenceTesting

  /// The thread that Thread Sanitizer keeps for itself, where this program is built with it.
  @Suite(.serialized, .enabled(if: isSanitized)) struct SanitizerThreadTests {
    @Test func `the sanitizer's own thread is known and not looked at`() throws {
      let number = try #require(ThreadSnapshot.sanitizerThread)
      #expect(number != getpid())
      #expect(try #require(ThreadSnapshot.take())[number] == nil)
      #expect(access("/proc/self/task/\(number)", F_OK) == 0)
    }

    // That thread wakes ten times a second, so looks that are half a second apart are never equal
    // unless it is left out. Another suite's thread may run in between; then there's another try.
    @Test(.quiescence) func `the sanitizer's own thread doesn't keep a process from being quiet`()
      throws
    {
      let own = try #require(ThreadSnapshot.sanitizerThread)
      let isQuiet = try (1...100).contains { _ in
        #expect(Quiet.wait() == .quiet)
        let before = try #require(ThreadSnapshot.take())
        let wakings = slices(of: own)
        while slices(of: own) < wakings + 5 { usleep(20_000) }
        return try #require(ThreadSnapshot.take()) == before
      }
      #expect(isQuiet)
    }

    private func slices(of thread: Int32) -> UInt64 {
      let path = "/proc/self/task/\(thread)/schedstat"
      let figures = try? String(contentsOfFile: path, encoding: .utf8).split { $0.isWhitespace }
      return figures?.last.flatMap { UInt64($0) } ?? 0
    }
  }

  /// Whether the sanitizer's functions are part of this program.
  private let isSanitized = dlsym(nil, "__tsan_init") != nil
#endif
