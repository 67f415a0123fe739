import KataTesting

/// The key of a thumbnail: a photo's name.
struct PhotoKey: Hashable, Sendable, CustomStringConvertible {
  let name: String
  /// Whether its hash value and its description equal those of all other clashing keys.
  var clashes = false

  var description: String { clashes ? "a photo" : name }

  func hash(into hasher: inout Hasher) {
    hasher.combine(clashes ? "" : name)
  }

  static let dawn = PhotoKey(name: "Dawn")
  static let noon = PhotoKey(name: "Noon")
}

/// A value that knows which attempt has computed it.
final class Thumbnail: Sendable, OpaqueMirror {
  let attempt: Int

  init(attempt: Int) {
    self.attempt = attempt
  }
}

/// What an attempt throws.
struct RenderingFailed: Error, Equatable {
  let attempt: Int
}

/// A cache whose computations are numbered and shown on a timeline; they may be held, and may fail.
final class ThumbnailCache: Sendable, OpaqueMirror {
  let timeline = Timeline()
  let cache = ComputeOnceCache<PhotoKey, Thumbnail>()
  private let counter = SharedCounter()

  /// How many computations have begun.
  var attempts: Int { counter.value }

  /// How many computations for this key are running.
  func underWay(_ key: PhotoKey) -> Int { timeline.inside.count { $0 == key.name } }

  /// Asks for a key on a new thread; if that thread computes, it does so until `gate` opens.
  func ask(
    _ key: PhotoKey, until gate: Gate? = nil,
    fails: @escaping @Sendable @autoclosure () -> Bool = false
  ) -> TestThread<Thumbnail> {
    TestThread("value(for: \(key.name))") { [self] in
      try cache.value(for: key) { try render(key, until: gate, fails: fails()) }
    }
  }

  /// Computes a value, as a caller's closure.
  func render(
    _ key: PhotoKey, until gate: Gate? = nil, fails: @autoclosure () -> Bool = false
  ) throws -> Thumbnail {
    let attempt = counter.increment()
    return try timeline.visit(key.name) {
      gate?.wait()
      if fails() { throw RenderingFailed(attempt: attempt) }
      return Thumbnail(attempt: attempt)
    }
  }
}
