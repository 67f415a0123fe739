import Dispatch
import Foundation
import KataTesting
import Testing

extension PhotoStoreTests {
  // MARK: - Whoever asks after a change

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
      A reader was inside. A caller added Dawn, then asked for the photos, and was answered before the \
      reader had left: Dawn wasn't in yet, or got in beside the reader. A read waits for the changes \
      before it, whoever else reads.
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
      asked for the photos; and was answered before Dawn was in, or kept out of the other store. Whoever is \
      inside one store is outside all others.
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

  // MARK: - Notices

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

  // MARK: - Many threads

  @Test func `many threads add and read at once`() throws {
    let store = store()
    try TestThread.race("adding thread", threads: 4) { thread in
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
}
