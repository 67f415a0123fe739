import Dispatch

/// A photo store under the readers–writers rules.
struct RuledPhotoStore: ReadersWritersStore {
  private let store = PhotoStore(
    noticeQueue: DispatchQueue(label: "katas.spec.notices")
  ) { _ in }

  func readInside(_ body: () -> Void) {
    store.read { _ in body() }
  }

  func writeInside(_ body: @escaping @Sendable () -> Void) {
    store.update { _ in body() }
  }
}
