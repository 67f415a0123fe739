import KataTesting
import Testing

extension PhotoStoreTests {
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
