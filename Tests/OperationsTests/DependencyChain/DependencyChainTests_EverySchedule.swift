import Foundation
import KataTesting
import Testing

extension DependencyChainTests {
  // MARK: - Every schedule

  @Test func `in every schedule it runs once, when it waits for nothing more`() {
    let add = ChainCall("add(decrypt, after: download)") {
      $0.add(keyToo: false)
    } model: {
      $0.add(keyToo: false)
    }
    let free = ChainCall("free(decrypt, from: download)") {
      $0.free()
    } model: {
      $0.waitsForDownload = false
    }
    let downloadEnds = ChainCall("the download ends") {
      $0.endDownload()
    } model: {
      $0.isDownloaded = true
    }.onlyOnce
    let keyEnds = ChainCall("the key ends") {
      $0.endKey()
    } model: {
      $0.hasKey = true
    }.onlyOnce
    let (added, addedWithKey) = (ChainModel.subject(), ChainModel.subject(keyToo: true))
    explore([
      Scenario(added, threads: [[free], [free]]),
      Scenario(added, threads: [[free], [downloadEnds]]),
      Scenario(addedWithKey, threads: [[free], [keyEnds]]),
      Scenario(addedWithKey, threads: [[free, free], [downloadEnds]]),
      Scenario(ChainModel.subject(isAdded: false), threads: [[add, free], [downloadEnds]]),
    ])
  }
}

private typealias ChainCall = ModelledCall<ChainSubject, ChainModel>

/// A chain with operations that are in no queue, except the last one.
private final class ChainSubject: Sendable, OpaqueMirror {
  private let chain = DependencyChain()
  private let queue = OperationQueue()
  private let (download, key) = (BlockOperation {}, BlockOperation {})
  private let decrypt: BlockOperation
  private let runs: SharedCounter

  init() {
    let runs = SharedCounter()
    decrypt = BlockOperation { runs.increment() }
    self.runs = runs
  }

  func add(keyToo: Bool) {
    chain.add(decrypt, to: queue, after: keyToo ? [download, key] : [download])
  }

  func free() { chain.free(decrypt, from: download) }
  func endDownload() { download.start() }
  func endKey() { key.start() }

  var end: String { ChainModel.text(runs: runs.value, isFinished: decrypt.isFinished) }

  func tearDown() {
    for operation in [download, key] where !operation.isFinished { operation.start() }
  }
}

private struct ChainModel {
  var isDownloaded = false
  var hasKey = false
  var waitsForDownload = false
  private var waitsForKey = false
  private var isAdded = false

  static func subject(
    keyToo: Bool = false, isAdded: Bool = true
  ) -> ModelledSubject<ChainSubject, ChainModel> {
    var model = ChainModel()
    if isAdded { model.add(keyToo: keyToo) }
    return ModelledSubject(
      model: model,
      {
        let subject = ChainSubject()
        if isAdded { subject.add(keyToo: keyToo) }
        return subject
      }, end: { $0.end }, modelEnd: { $0.end }, tearDown: { $0.tearDown() })
  }

  mutating func add(keyToo: Bool) {
    (isAdded, waitsForDownload, waitsForKey) = (true, true, keyToo)
  }

  var end: String {
    let hasRun = isAdded && (isDownloaded || !waitsForDownload) && (hasKey || !waitsForKey)
    return Self.text(runs: hasRun ? 1 : 0, isFinished: hasRun)
  }

  static func text(runs: Int, isFinished: Bool) -> String {
    "decrypt has run \(times(runs)), isFinished \(isFinished)"
  }
}
