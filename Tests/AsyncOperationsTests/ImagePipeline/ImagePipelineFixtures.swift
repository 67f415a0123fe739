import Foundation
import Images
import KataTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A folder of one test for the saved pictures, and a session for its downloads.
final class PipelineRoom: Sendable, OpaqueMirror {
  private let folder = FileManager.default.temporaryDirectory.appending(
    path: "pipeline-\(UUID().uuidString)")
  private let session: URLSession

  init() {
    let configuration = URLSessionConfiguration.ephemeral
    // Both as in DownloadSession.
    configuration.urlCache = nil
    configuration.timeoutIntervalForRequest = 3_600
    session = URLSession(configuration: configuration)
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    // As in DownloadSession.
    session.finishTasksAndInvalidate()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Whether no request of the session is running.
  var isIdle: Bool {
    let (isIdle, isTold) = (LockedValue(false), DispatchSemaphore(value: 0))
    session.getAllTasks { tasks in
      isIdle.set(tasks.isEmpty)
      isTold.signal()
    }
    isTold.wait()
    return isIdle.value
  }

  func file(_ name: String) -> URL { folder.appending(path: "\(name).ppm") }

  /// The data that was saved under `name`; nil if there is none.
  func data(of name: String) -> Data? { try? Data(contentsOf: file(name)) }

  func pipeline(
    from url: URL, to name: String, steps: ImagePipeline.Steps = ImagePipeline.Steps()
  ) -> ImagePipeline {
    ImagePipeline(from: url, to: file(name), session: session, steps: steps)
  }
}

/// The error of a step that fails as the spec asks.
struct StepFailure: Error, Equatable {
  let step: String
}

/// Steps that record their arguments.
///
/// The pictures are words: each pixel of the one row is a letter.
final class StepRecord: Sendable, OpaqueMirror {
  private let noted = LockedValue<[String]>([])

  var calls: [String] { noted.value }

  /// Makes steps; the step named `failing` throws, after the step named `waiting` has waited.
  func steps(
    failing: String? = nil, waiting: String? = nil, for gate: Gate? = nil
  ) -> ImagePipeline.Steps {
    let note: @Sendable (String, String) throws -> Void = { step, word in
      self.noted.append("\(step) \(word)")
      if step == waiting { gate?.wait() }
      if step == failing { throw StepFailure(step: step) }
    }
    return ImagePipeline.Steps(
      decode: { data in
        let word = String(decoding: data, as: UTF8.self)
        try note("decode", word)
        return Self.picture(of: word == "body" ? "decoded" : word)
      },
      filter: { picture in
        try note("filter", Self.word(in: picture))
        let word = Self.word(in: picture)
        return Self.picture(of: word == "decoded" ? "filtered" : word)
      },
      save: { picture, file in
        try note("save", Self.word(in: picture))
        try Data(Self.word(in: picture).utf8).write(to: file)
      })
  }

  private static func picture(of word: String) -> RGBImage {
    RGBImage(rows: [(word.isEmpty ? "nothing" : word).utf8.map { RGB(grey: $0) }])
  }

  private static func word(in picture: RGBImage) -> String {
    String(decoding: picture.pixels.map(\.red), as: UTF8.self)
  }
}

/// The results that a pipeline's completion received.
final class PipelineResults: Sendable, OpaqueMirror {
  private let all = LockedValue<[(result: Result<URL, any Error>, isOnQueue: Bool)]>([])

  func add(_ result: Result<URL, any Error>, isOnQueue: Bool) { all.append((result, isOnQueue)) }

  /// How many calls weren't made on the queue.
  var strays: Int { all.value.count { !$0.isOnQueue } }

  var results: [Result<URL, any Error>] { all.value.map(\.result) }

  var error: (any Error)? {
    if case .failure(let error) = results.first { error } else { nil }
  }

  var description: String {
    switch results.first {
    case .success(let file): "success, \(file.lastPathComponent)"
    case .failure(let error): "failure, \(error) (\(String(reflecting: type(of: error))))"
    case nil: "nothing"
    }
  }
}
