import Dispatch
import Foundation
import KataTesting
import Testing

/// Proves that reads overlap, that a change runs alone and blocks no caller, and that a caller sees
/// its own changes; and that each change sends one notice, on its queue, without waiting for it.
@Suite(.serialized, .kata) struct PhotoStoreTests {
  let timeline = Timeline()
  let notices = DispatchQueue(label: "katas.spec.notices")

  @Test func `a photo that was added can be read`() throws {
    let store = store()
    for name in ["Dawn", "Noon"] {
      try mustReturn("add") { store.add(Photo(name)) }
      // One change at a time; the tests below cover what happens at the same time.
      runUntilQuiet()
    }
    let photos = try mustReturn("photos") { store.photos }
    #expect(
      photos == [Photo("Dawn"), Photo("Noon")],
      """
      Dawn was added, then Noon, and then the photos were read: both must be there, in that order. \
      Begin with update: let it change the photos.
      """)
    let other = self.store()
    #expect(
      try mustReturn("photos") { other.photos }.isEmpty,
      "A second store was created, and it contained photos: each store must begin empty.")
    try mustReturn("add") { store.add(Photo("Dawn")) }
    runUntilQuiet()
    let again = try mustReturn("photos") { store.photos }
    #expect(
      again == [Photo("Dawn"), Photo("Noon"), Photo("Dawn")],
      "Dawn was added once more: what is added comes last, even if it's there already.")
  }

  @Test func `read calls its closure on the calling thread, and passes on what it returns`() throws
  {
    let store = store()
    let isSame = try mustReturn("read") {
      let caller = Thread.current
      return store.read { _ in Thread.current === caller }
    }
    #expect(
      isSame,
      "read called its closure on another thread. Its caller waits anyway: run it there.")
  }

  @Test func `reads overlap`() {
    let store = store()
    let release = Gate("release the readers")
    for reader in 1...20 {
      _ = TestThread("reader") {
        store.read { _ in timeline.visit("reader \(reader)", until: release) }
      }
    }
    runUntilQuiet()
    let inside = timeline.inside.count
    #expect(
      inside == 20,
      """
      20 readers came at the same time, but only \(inside) got inside. Any number of them must be \
      able to read side by side: reading changes nothing.
      """)
    let photos = TestThread("photos") { store.photos }
    runUntilQuiet()
    #expect(
      photos.hasReturned,
      """
      Readers were inside, and a call of photos waited until they had left. It's a read like any \
      other: call read.
      """)
  }

  @Test func `a write excludes reads`() throws {
    let store = store()
    let releaseWriter = Gate("release the writer")
    try writerEnters(store, until: releaseWriter)
    timeline.asks("reader") { [timeline] in store.read { _ in timeline.visit("reader") {} } }
    timeline.expect(
      """
      writer  ├─────────…
      reader       ┆┄┄┄┄…
      """,
      """
      A reader came in while a writer was inside, so it could see a change half done. A write must \
      run alone.
      """)
    releaseWriter.open()
    timeline.expect(
      """
      writer  ├─────────┤
      reader       ┆┄┄┄┄┄┄┄┄┄├────┤
      """, "The writer has left, but the reader that waited never came in.")
  }

  @Test func `reads exclude a write`() throws {
    let store = store()
    let releaseReader = Gate("release the reader")
    try readerEnters(store, until: releaseReader)
    timeline.asks("writer") { [timeline] in store.update { _ in timeline.visit("writer") {} } }
    timeline.expect(
      """
      reader  ├─────────…
      writer       ┆┄┄┄┄…
      """,
      """
      A writer came in while a reader was inside, and changed the photos that it was reading. A \
      write must wait until every reader has left.
      """)
    releaseReader.open()
    timeline.expect(
      """
      reader  ├─────────┤
      writer       ┆┄┄┄┄┄┄┄┄┄├────┤
      """, "The reader has left, but the writer that waited never came in.")
  }

  @Test func `a write excludes writes`() throws {
    let store = store()
    let releaseWriter = Gate("release the writer")
    try writerEnters(store, until: releaseWriter)
    timeline.asks("writer 2") { [timeline] in store.update { _ in timeline.visit("writer 2") {} } }
    timeline.expect(
      """
      writer    ├─────────…
      writer 2       ┆┄┄┄┄…
      """,
      "Two writers were inside at once, both changing the same photos. A write must run alone.")
    releaseWriter.open()
    timeline.expect(
      """
      writer    ├─────────┤
      writer 2       ┆┄┄┄┄┄┄┄┄┄├────┤
      """, "The first writer has left, but the second never came in.")
  }

  // Even many changes don't block their caller; a queue with room for some would.
  @Test(arguments: [1, 100, 1000]) func `update and add return while a reader is inside`(
    times: Int
  ) throws {
    let store = store()
    let releaseReader = Gate("release the reader")
    try readerEnters(store, until: releaseReader)

    let caller = TestThread("caller") {
      timeline.visit("caller") {
        for _ in 0..<times {
          store.update { $0.append(Photo("Dawn")) }
          store.add(Photo("Noon"))
        }
      }
    }
    runUntilQuiet()
    #expect(
      caller.hasReturned,
      timeline.showing(
        """
        The caller of update and add, \(times == 1 ? "once" : "\(times) times") each, was blocked \
        until the reader had left. Submit each change, and let the caller go on.
        """))
  }

  @Test func `update returns while its change is being made`() {
    let store = store()
    let release = Gate("release the change")
    let caller = TestThread("update") { store.update { _ in release.wait() } }
    #expect(
      !caller.isBlocked(),
      """
      The store was idle, so the change could begin at once, but the caller of update was blocked \
      until it ended. Run each change on a queue of the store, and let the caller go on.
      """)
  }

  // MARK: - Fixtures

  /// The photos in one word, such as "Dawn+Noon".
  static func names(_ photos: [Photo]) -> String {
    photos.isEmpty ? "none" : photos.map(\.name).joined(separator: "+")
  }

  func store(
    onChange: @escaping @Sendable ([Photo]) -> Void = { _ in }
  ) -> PhotoStore {
    PhotoStore(noticeQueue: notices, onChange: onChange)
  }

  /// A store whose notices are marked on the timeline, with the photos that they show.
  func noticedStore() -> PhotoStore {
    store { [timeline] in timeline.mark("notice", Self.names($0)) }
  }

  /// A writer is inside the store and stays there until `gate` opens; then it makes its `change`.
  func writerEnters(
    _ store: PhotoStore, until gate: Gate,
    change: @escaping @Sendable (inout [Photo]) -> Void = { _ in }
  ) throws {
    let timeline = timeline
    _ = TestThread("writer") {
      store.update { photos in
        timeline.visit("writer", until: gate)
        change(&photos)
      }
    }
    try #require(
      eventually("update never ran the change that it was given.") { timeline.isInside("writer") })
  }

  /// A reader is inside the store and stays there until `gate` opens.
  func readerEnters(_ store: PhotoStore, until gate: Gate) throws {
    let timeline = timeline
    _ = TestThread("reader") { store.read { _ in timeline.visit("reader", until: gate) } }
    try #require(eventually("read never called its closure.") { timeline.isInside("reader") })
  }

  /// A thread adds Dawn and then reads the photos, from within a read of `other` if it's given.
  func addsDawnAndAsks(
    _ store: PhotoStore, within other: PhotoStore? = nil
  ) -> TestThread<[Photo]> {
    timeline.asks("photos") { [timeline] in
      @Sendable func ask() -> [Photo] {
        store.add(Photo("Dawn"))
        let photos = store.photos
        timeline.visit("photos") {}
        return photos
      }
      guard let other else { return ask() }
      return other.read { _ in timeline.visit("the other store", ask) }
    }
  }

  /// Expects that the thread that added Dawn gets Dawn.
  func expectDawn(
    _ photos: TestThread<[Photo]>, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(
      try photos.result(sourceLocation: sourceLocation) == [Photo("Dawn")],
      "The caller added Dawn before it read photos, so Dawn must be among them.",
      sourceLocation: sourceLocation)
  }
}

/// What a read throws.
struct Unreadable: Error {}

extension PhotoStore: OpaqueMirror {}
