import Dispatch
import KataTesting
import Testing

extension PhotoStoreTests {
  // MARK: - Every schedule

  @Test func `in every schedule reads and notices show one change after another`() {
    explore(CallList(Self.noticed, calls: [Self.add, Self.addTheirCount, Self.photos]))
  }

  // MARK: - Calls

  static let noticed = ModelledSubject<NoticedStore, NoticedPhotos>(
    model: NoticedPhotos(), { NoticedStore() },
    end: { list($0.notices.value) }, modelEnd: { list($0.notices) })

  typealias Call = ModelledCall<NoticedStore, NoticedPhotos>

  static let add = Call("add(Dawn)") {
    $0.store.add(Photo("Dawn"))
  } model: { photos in
    photos.change { $0.append(Photo("Dawn")) }
  }

  /// Depends on the photos that are there: no other change may run in between.
  static let addTheirCount = Call("update { add their count }") {
    $0.store.update { $0.append(Photo("\($0.count)")) }
  } model: { photos in
    photos.change { $0.append(Photo("\($0.count)")) }
  }

  static let changeNothing = Call("update {}") {
    $0.store.update { _ in }
  } model: { photos in
    photos.change { _ in }
  }

  static let photos = Call("photos") {
    names($0.store.photos)
  } model: { photos in
    names(photos.stored)
  }

  private static func list(_ notices: [[Photo]]) -> String {
    "notices: " + (notices.isEmpty ? "none" : notices.map(names).joined(separator: ", "))
  }
}

/// A store and its notices; their queue is serial, so they arrive in the order of the changes.
final class NoticedStore: Sendable, OpaqueMirror {
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
struct NoticedPhotos: Sendable {
  private(set) var stored: [Photo] = []
  private(set) var notices: [[Photo]] = []

  mutating func change(_ change: (inout [Photo]) -> Void) {
    change(&stored)
    notices.append(stored)
  }
}
