import KataTesting

/// The key of a thumbnail: a photo's name.
struct PhotoKey: Hashable, Sendable, CustomStringConvertible {
  let name: String
  /// Whether its hash and its description are the same as those of all others that clash.
  var clashes = false

  var description: String { clashes ? "a photo" : name }

  func hash(into hasher: inout Hasher) {
    hasher.combine(clashes ? "" : name)
  }

  static let dawn = PhotoKey(name: "Dawn")
  static let noon = PhotoKey(name: "Noon")
}

/// A value that knows which attempt has made it.
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

/// A cache whose computations are numbered, shown on a timeline, and may be held and may fail.
final class ThumbnailCache: Sendable, OpaqueMirror {
  let timeline = Timeline()
  let cache = ComputeOnceCache<PhotoKey, Thumbnail>()
  private let counter = SharedCounter()

  /// How many computations have begun.
  var attempts: Int { counter.value }

  /// How many computations for this key are under way.
  func underWay(_ key: PhotoKey) -> Int { timeline.inside.count { $0 == key.name } }

  /// Somebody asks, on a thread of its own; if it has to compute, that lasts until `gate` opens.
  func ask(
    _ key: PhotoKey, until gate: Gate? = nil,
    fails: @escaping @Sendable @autoclosure () -> Bool = false
  ) -> TestThread<Thumbnail> {
    TestThread("value(for: \(key.name))") { [self] in
      try cache.value(for: key) { try render(key, until: gate, fails: fails()) }
    }
  }

  /// A computation.
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
