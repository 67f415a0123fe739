import KataTesting
import Testing

extension PhotoStoreTests {
  // MARK: - Hundreds of readers

  @Test func `hundreds of reads overlap`() {
    let store = store()
    let release = Gate("release the readers")
    for _ in 1...300 { _ = TestThread("reader") { store.read { _ in release.wait() } } }
    runUntilQuiet()
    let inside = release.waiting
    #expect(
      inside == 300,
      """
      300 readers came at the same time, but only \(inside) got inside. Any number of them must be \
      able to read side by side.
      """)
    release.open()
    runUntilQuiet()
  }

  // MARK: - Within a change

  // Only a read within a change would be a deadlock; update and add wait for nothing.
  @Test func `a change that another change submits has a notice of its own`() throws {
    let store = noticedStore()
    try mustReturn("update") {
      store.update { photos in
        photos.append(Photo("Dawn"))
        store.add(Photo("Noon"))
      }
    }
    timeline.expect(
      "notice  ●    ●  Dawn, Dawn+Noon",
      """
      A change added Dawn, and within it add was called for Noon, which is a change of its own. \
      The first notice must show Dawn alone and the second both.
      """)
  }

  // MARK: - Errors

  // a read      add
  // is inside
  //             waits
  // throws
  //             is done
  @Test func `a read ends even if its body throws`() throws {
    let store = store()
    let release = Gate("the read throws")
    let reader = TestThread("read") {
      try store.read { _ in
        release.wait()
        throw Unreadable()
      }
    }
    runUntilQuiet()
    _ = TestThread("add") { store.add(Photo("Dawn")) }
    runUntilQuiet()
    release.open()
    #expect(
      throws: Unreadable.self, "The closure of a read threw, and read didn't rethrow its error."
    ) { try reader.result() }
    let photos = try mustReturn(
      "photos",
      """
      While a read was running, Dawn was added. Then the read threw. Whatever a read holds must be \
      released on every path out of it, and the change that waits for it made.
      """
    ) { store.photos }
    #expect(
      photos == [Photo("Dawn")], "Dawn was added during a read that threw, and it isn't there.")
  }
}
