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
}
