import Dispatch
import Foundation
import KataTesting
import Testing

/// Proves that reads overlap, that a change is alone and holds no caller, that a caller sees its own
/// changes, and that each change brings one notice, on its queue, for which nobody waits.
@Suite(.serialized, .kata) struct PhotoStoreTests {
  private let timeline = Timeline()
  private let notices = DispatchQueue(label: "katas.spec.notices")

  @Test func `an added photo is there to read`() throws {
    let store = store()
    for name in ["Dawn", "Noon"] {
      try mustReturn("add") { store.add(Photo(name)) }
      // One change at a time: what happens when they meet is for the tests below.
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
      "A second store was made, and there were photos in it already: each store has its own.")
    try mustReturn("add") { store.add(Photo("Dawn")) }
    runUntilQuiet()
    let again = try mustReturn("photos") { store.photos }
    #expect(
      again == [Photo("Dawn"), Photo("Noon"), Photo("Dawn")],
      "Dawn was added once more: what is added stands at the end, whatever was there before.")
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
      "read called its closure on another thread. Its caller waits anyway: let it run there.")
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
      20 readers came at once, and \(inside) are inside. Any number of them must be able to be there: \
      reading changes nothing.
      """)
    let photos = TestThread("photos") { store.photos }
    runUntilQuiet()
    #expect(
      photos.hasReturned,
      """
      Readers were inside, and whoever asked for photos was held until they have left. That is a read \
      like any other: call read.
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
      A reader came in while a writer was inside, so it could see a change half done. A write must run \
      alone.
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
      A writer came in while a reader was inside, and changed what it was reading. A write must wait \
      until every reader has left.
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
      "Two writers were inside at once, each changing the same photos. A write must run alone.")
    releaseWriter.open()
    timeline.expect(
      """
      writer    ├─────────┤
      writer 2       ┆┄┄┄┄┄┄┄┄┄├────┤
      """, "The first writer has left, but the second never came in.")
  }

  // Not even many changes hold their caller: a line that is full after eight would.
  @Test(arguments: [1, 100]) func `update and add return while a reader is inside`(
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
        The caller of update and add, \(times) times each, is held until the reader has left. A change \
        is put in line; its caller goes on at once.
        """))
  }

  @Test func `photos waits for the changes before it`() throws {
    let store = store()
    let releaseWriter = Gate("release the writer")
    try writerEnters(store, until: releaseWriter)
    let photos = addsDawnAndAsks(store)
    timeline.expect(
      """
      writer  ├─────────…
      photos       ┆┄┄┄┄…
      """,
      """
      The caller added Dawn while another change was under way, then asked for the photos, and was \
      answered before Dawn was in. photos must wait in the same line as the changes.
      """)
    releaseWriter.open()
    try expectDawn(photos)
  }

  @Test func `photos waits for the changes before it, though others read`() throws {
    let store = store()
    let releaseReader = Gate("release the reader")
    try readerEnters(store, until: releaseReader)
    let photos = addsDawnAndAsks(store)
    timeline.expect(
      """
      reader  ├─────────…
      photos       ┆┄┄┄┄…
      """,
      """
      A reader was inside, so nothing could be changed. The caller added Dawn, then asked for the photos, \
      and was answered before Dawn was in. A read waits for the changes before it, whoever else reads.
      """)
    releaseReader.open()
    try expectDawn(photos)
  }

  @Test func `within a read of another store, photos waits as well`() throws {
    let (store, other) = (store(), store())
    let releaseWriter = Gate("release the writer")
    try writerEnters(store, until: releaseWriter)
    let photos = addsDawnAndAsks(store, within: other)
    timeline.expect(
      """
      writer           ├──────────────…
      photos                ┆┄┄┄┄┄┄┄┄┄…
      the other store            ├────…
      """,
      """
      Within a read of another store the caller added Dawn here, while another change was under way, then \
      asked for the photos, and was answered before Dawn was in. Whoever is inside one store is outside \
      all others.
      """)
    releaseWriter.open()
    try expectDawn(photos)
  }

  // a read        another thread
  // throws
  //               adds: the read is over
  //               reads
  @Test func `a read that throws is over`() throws {
    let store = store()
    #expect(
      throws: Unreadable.self, "The closure of a read threw, and nobody heard of it: rethrow it."
    ) {
      try mustReturn("read") { try store.read { _ in throw Unreadable() } }
    }
    let photos = try mustReturn(
      "photos",
      "A read before it has thrown. What a read takes must be given back on every way out."
    ) {
      store.add(Photo("Dawn"))
      return store.photos
    }
    #expect(photos == [Photo("Dawn")], "A read threw, then Dawn was added, and isn't there.")
  }

  @Test func `the notice follows the change`() throws {
    let store = noticedStore()
    let releaseWriter = Gate("release the writer")
    try writerEnters(store, until: releaseWriter) { $0.append(Photo("Dawn")) }
    timeline.expect(
      "writer  ├────…",
      """
      onChange was called while the change was still being made. Whoever hears of a change must \
      find it done.
      """)
    releaseWriter.open()
    eventually("The change is done, but onChange was never called.") {
      timeline.events.contains { $0.who == "notice" }
    }
    timeline.expect(
      """
      writer  ├────┤
      notice            ●  Dawn
      """, "One change must bring one notice, with the photos as the change left them.")
  }

  @Test func `each notice shows the photos as its change left them`() throws {
    let store = noticedStore()
    let releaseNotices = Gate("release the notice queue")
    notices.async { releaseNotices.wait() }
    for name in ["Dawn", "Noon"] {
      try mustReturn("add") { store.add(Photo(name)) }
      runUntilQuiet()
    }
    releaseNotices.open()
    timeline.expect(
      "notice  ●    ●  Dawn, Dawn+Noon",
      """
      Dawn was added, then Noon, while the notice queue was busy. The first notice must show Dawn \
      alone and the second both: copy the photos when the change is made, not when the notice is \
      delivered.
      """)
  }

  @Test func `every change brings a notice`() throws {
    let store = noticedStore()
    try mustReturn("update and add") {
      store.add(Photo("Dawn"))
      store.update { _ in }
      store.update { $0.removeAll() }
    }
    timeline.expect(
      "notice  ●    ●    ●  Dawn, Dawn, none",
      """
      There were three changes: Dawn was added, then one changed nothing, then all photos were removed. \
      Each must bring one notice.
      """)
  }

  @Test func `nobody waits for a notice`() throws {
    let store = noticedStore()
    notices.async { [timeline] in
      store.add(Photo("Dawn"))
      timeline.mark("photos", Self.names(store.photos))
    }
    timeline.expect(
      """
      photos  ●  Dawn
      notice       ●  Dawn
      """,
      """
      On the notice queue somebody added Dawn and then asked for the photos. They must be had at once, \
      and the notice comes afterwards: whoever makes a change must not wait until the notice queue \
      has time.
      """)
  }

  @Test func `many changes don't wait for their notices`() throws {
    let changes = 300
    let store = store()
    let releaseNotices = Gate("release the notice queue")
    notices.async { releaseNotices.wait() }
    let caller = TestThread("photos") {
      for change in 1...changes { store.add(Photo("\(change)")) }
      return store.photos.count
    }
    let hasReturned = eventually(
      """
      The notice queue is busy. \(changes) photos were added, and whoever asked for them then waits for \
      ever. However many notices are in line, neither reads nor changes wait for one.
      """
    ) { caller.hasReturned }
    guard hasReturned else { return }
    #expect(
      try caller.result() == changes,
      "The notice queue is busy. \(changes) photos were added, and must be there all the same.")
  }

  @Test func `what is in line is done though nobody keeps the store`() throws {
    let releaseWriter = Gate("release the writer")
    try {
      let store = noticedStore()
      try writerEnters(store, until: releaseWriter)
      try mustReturn("add") { store.add(Photo("Dawn")) }
    }()
    timeline.mark("store", "let go of")
    // Notices wait until both changes are made, and nobody needs the store for them any more.
    let releaseNotices = Gate("release the notice queue")
    notices.async { releaseNotices.wait() }
    runUntilQuiet()
    releaseWriter.open()
    runUntilQuiet()
    releaseNotices.open()
    timeline.expect(
      """
      writer  ├─────────┤
      store        ●  let go of
      notice                 ●    ●  none, Dawn
      """,
      """
      While a change was under way Dawn was added, and then the store was let go of. Both changes must \
      bring their notices: what is in line must keep alive what it needs.
      """)
  }

  @Test func `the notice is delivered on the notice queue`() throws {
    let places = Places(["the notice queue": notices])
    let store = store { [timeline] _ in timeline.mark(places.current, "notice") }
    try mustReturn("add") { store.add(Photo("Dawn")) }
    eventually("The change is done, but onChange was never called.") { !timeline.events.isEmpty }
    timeline.expect(
      "the notice queue  ●  notice",
      "onChange must be called on the queue that the caller chose, not on a queue of the store.")
  }

  @Test func `many threads add and read at once`() throws {
    let store = store()
    try race("adding thread", threads: 4) { thread in
      for photo in 0..<10 {
        store.add(Photo("\(thread)-\(photo)"))
        _ = store.photos
      }
    }
    let photos = try mustReturn("photos") { store.photos }
    #expect(
      photos.count == 40, "Four threads added ten photos each; photos were lost or doubled.")
    for thread in 0..<4 {
      let own = photos.filter { $0.name.hasPrefix("\(thread)-") }
      #expect(
        own == (0..<10).map { Photo("\(thread)-\($0)") },
        "The photos that one thread added must stand in the order in which it added them.")
    }
  }

  @Test func `readers and writers keep the rules in any order`() {
    playScripts(of: ReadersAndWriters<RuledPhotoStore>.self)
  }

  // MARK: - Fixtures

  /// The photos in one word, such as "Dawn+Noon".
  private static func names(_ photos: [Photo]) -> String {
    photos.isEmpty ? "none" : photos.map(\.name).joined(separator: "+")
  }

  private func store(
    onChange: @escaping @Sendable ([Photo]) -> Void = { _ in }
  ) -> PhotoStore {
    PhotoStore(noticeQueue: notices, onChange: onChange)
  }

  /// A store whose notices are marked on the timeline, with the photos that they show.
  private func noticedStore() -> PhotoStore {
    store { [timeline] in timeline.mark("notice", Self.names($0)) }
  }

  /// A writer is inside the store and stays there until `gate` opens; then it makes its `change`.
  private func writerEnters(
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
  private func readerEnters(_ store: PhotoStore, until gate: Gate) throws {
    let timeline = timeline
    _ = TestThread("reader") { store.read { _ in timeline.visit("reader", until: gate) } }
    try #require(eventually("read never called its closure.") { timeline.isInside("reader") })
  }

  /// Somebody adds Dawn and then asks for the photos, from within a read of `other` if it's given.
  private func addsDawnAndAsks(
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

  /// Whoever added Dawn and asked for the photos is answered.
  private func expectDawn(
    _ photos: TestThread<[Photo]>, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(
      try photos.result(sourceLocation: sourceLocation) == [Photo("Dawn")],
      "The caller added Dawn before it asked for the photos, so Dawn must be among them.",
      sourceLocation: sourceLocation)
  }
}

/// What a read throws.
private struct Unreadable: Error {}

extension PhotoStore: OpaqueMirror {}
