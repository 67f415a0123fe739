import Dispatch
import KataTesting
import Testing

extension PhotoStoreTests {
  // MARK: - Every schedule

  @Test func `in every schedule reads and notices show one change after another`() {
    explore(
      CallList(
        ModelledSubject(
          model: NoticedPhotos(), { NoticedStore() },
          end: { Self.list($0.notices.value) }, modelEnd: { Self.list($0.notices) }),
        calls: [
          ModelledCall("add(Dawn)") {
            $0.store.add(Photo("Dawn"))
          } model: { photos in
            photos.change { $0.append(Photo("Dawn")) }
          },
          // Depends on the photos that are there: no other change may run in between.
          ModelledCall("update { add their count }") {
            $0.store.update { $0.append(Photo("\($0.count)")) }
          } model: { photos in
            photos.change { $0.append(Photo("\($0.count)")) }
          },
          ModelledCall("photos") {
            Self.names($0.store.photos)
          } model: { photos in
            Self.names(photos.stored)
          },
        ]))
  }

  private static func list(_ notices: [[Photo]]) -> String {
    "notices: " + (notices.isEmpty ? "none" : notices.map(names).joined(separator: ", "))
  }
}

/// A store and its notices; their queue is serial, so they arrive in the order of the changes.
private final class NoticedStore: Sendable, OpaqueMirror {
  let notices: LockedValue<[[Photo]]>
  let store: PhotoStore

  init() {
    let notices = LockedValue<[[Photo]]>([])
    self.notices = notices
    store = PhotoStore(noticeQueue: DispatchQueue(label: "katas.spec.notices")) {
      notices.append($0)
    }
  }
}

/// Each change is made, and its notice sent, when it's submitted: a read waits for it anyway.
private struct NoticedPhotos: Sendable {
  private(set) var stored: [Photo] = []
  private(set) var notices: [[Photo]] = []

  mutating func change(_ change: (inout [Photo]) -> Void) {
    change(&stored)
    notices.append(stored)
  }
}
