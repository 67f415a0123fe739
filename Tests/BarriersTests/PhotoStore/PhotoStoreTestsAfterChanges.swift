import Dispatch
import Foundation
import KataTesting
import Testing

extension PhotoStoreTests {
  // MARK: - Reads after a change

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
      The caller added Dawn while another change was running, then read photos, and got a result \
      before Dawn was added. photos must wait for all changes that were submitted before it.
      """)
    releaseWriter.open()
    try expectDawn(photos)
  }

  @Test func `photos waits for the changes before it, even while others read`() throws {
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
      A reader was inside; another caller added Dawn, then read photos, and got a result before \
      the reader had left. Dawn wasn't in yet, or got in beside the reader. A read must wait for \
      the changes before it, even while others read.
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
      Within a read of another store the caller added Dawn here, while another change was running, \
      then read photos. It got a result before Dawn was added, or couldn't get into the other \
      store. Being inside one store must not make a difference to any other store.
      """)
    releaseWriter.open()
    try expectDawn(photos)
  }

  // MARK: - Notices

  @Test func `the notice follows the change`() throws {
    let store = noticedStore()
    let releaseWriter = Gate("release the writer")
    try writerEnters(store, until: releaseWriter) { $0.append(Photo("Dawn")) }
    timeline.expect(
      "writer  ├────…",
      """
      onChange was called while the change was still running. When onChange is called, the change \
      must have been made.
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
      There were three changes: the first added Dawn, the second changed nothing, and the third \
      removed all photos. Each must bring one notice, even the one that changed nothing.
      """)
  }

  @Test func `neither reads nor changes wait for a notice`() throws {
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
      A block on the notice queue added Dawn and then read photos. It must get the photos at once, \
      and the notice must come afterwards: a change must not wait until the notice queue is free.
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
      The notice queue was busy; \(changes) photos were added, and a read of photos after that \
      never returned. Neither reads nor changes may wait for a notice, however many notices are \
      pending.
      """
    ) { caller.hasReturned }
    guard hasReturned else { return }
    #expect(
      try caller.result() == changes,
      "The notice queue was busy; \(changes) photos were added, and all must be there.")
  }

  @Test func `changes are made and notices sent even if the store is released`() throws {
    let releaseWriter = Gate("release the writer")
    try {
      let store = noticedStore()
      try writerEnters(store, until: releaseWriter)
      try mustReturn("add") { store.add(Photo("Dawn")) }
    }()
    timeline.mark("store", "let go of")
    // Notices wait until both changes are made; they don't need the store any more.
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
      While a change was running Dawn was added, and then the last reference to the store was \
      released. Both changes must be made and send their notices: a submitted block must keep \
      alive what it needs.
      """)
  }

  @Test func `the notice is delivered on the notice queue`() throws {
    let places = Places(["the notice queue": notices])
    let store = store { [timeline] _ in timeline.mark(places.current, "notice") }
    try mustReturn("add") { store.add(Photo("Dawn")) }
    eventually("The change is done, but onChange was never called.") { !timeline.events.isEmpty }
    timeline.expect(
      "the notice queue  ●  notice",
      "onChange must be called on the queue that the caller chose, not on one of the store's.")
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
      photos.count == 40, "Four threads added ten photos each; photos were lost or added twice.")
    for thread in 0..<4 {
      let own = photos.filter { $0.name.hasPrefix("\(thread)-") }
      #expect(
        own == (0..<10).map { Photo("\(thread)-\($0)") },
        "The photos that one thread added must be in the order in which it added them.")
    }
  }

  @Test func `readers and writers keep the rules in any order`() {
    playScripts(of: ReadersAndWriters<RuledPhotoStore>.self)
  }
}
