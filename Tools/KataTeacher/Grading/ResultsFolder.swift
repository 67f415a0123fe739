import Foundation
import KataKit

/// A folder with the results of grading: a file for each submission, and a summary.
///
/// Every file is replaced atomically, so that an interrupted command leaves no incomplete files.
struct ResultsFolder: Sendable {
  /// The folder, as the user has named it.
  let path: String
  let url: URL

  init(_ path: String, relativeTo base: URL) {
    self.path = path
    url = path.hasPrefix("/") ? URL(filePath: path) : base.appending(path: path)
  }

  private static let submissions = "submissions"

  private var folder: URL { url.appending(path: Self.submissions) }

  /// Creates the folder; throws if that fails, before the results are computed.
  func prepare() throws {
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw KataError.cannotWrite(path, error)
    }
    guard FileManager.default.isWritableFile(atPath: folder.path) else {
      throw KataError(
        "\(path) can't be written; name a writable folder.", .environment)
    }
  }

  /// The result of a participant, if there is one that this version can read.
  func result(of participant: String) -> SubmissionResult? { Self.read(file(of: participant)) }

  /// Stores a result.
  func keep(_ result: SubmissionResult) throws {
    try write(
      JSONText.of(result), to: "\(Self.submissions)/\(Self.fileName(of: result.participant))")
  }

  /// Writes the summary of the results.
  func write(_ report: GradeReport) throws {
    try write(JSONText.of(report), to: "results.json")
    try write(report.table.text, to: "results.csv")
  }

  /// All results in a folder, or in the results folders inside it; nil if there are none.
  static func all(in path: String) throws -> [SubmissionResult]? {
    let root = URL(filePath: path)
    let places = [root] + SubmissionFolder.folders(in: root)
    let folders = places.map { $0.appending(path: submissions) }.filter(SubmissionFolder.isFolder)
    guard !folders.isEmpty else { return nil }
    return try folders.flatMap { folder in
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      return try names.filter { $0.hasSuffix(".json") }.sorted().map { name in
        let file = folder.appending(path: name)
        guard let result = read(file) else {
          throw KataError(
            "\(file.path) isn't a result of this version, or it's damaged; grade it again.",
            .environment)
        }
        return result
      }
    }
  }

  // MARK: - Files

  private func file(of participant: String) -> URL {
    folder.appending(path: Self.fileName(of: participant))
  }

  /// A file name that every file system accepts: letters, digits, and numbers for other characters.
  ///
  /// Names that differ only in case stay different on file systems that ignore case.
  static func fileName(of participant: String) -> String {
    let plain = Set("abcdefghijklmnopqrstuvwxyz0123456789-_".unicodeScalars)
    let isPlain = participant.unicodeScalars.allSatisfy(plain.contains)
    let readable = String(
      String.UnicodeScalarView(
        participant.lowercased().unicodeScalars.map { plain.contains($0) ? $0 : "_" }.prefix(60)))
    let isShort = participant.unicodeScalars.count <= 60
    return isPlain && isShort
      ? "\(participant).json" : "\(readable)~\(ContentHash(of: participant).text).json"
  }

  private static func read(_ file: URL) -> SubmissionResult? {
    guard let data = try? Data(contentsOf: file) else { return nil }
    let result = try? JSONDecoder().decode(SubmissionResult.self, from: data)
    return result?.version == SubmissionResult.currentVersion ? result : nil
  }

  private func write(_ text: String, to name: String) throws {
    try url.appending(path: name)
      .replaceContent(with: Data(text.utf8), name: "\(path)/\(name)")
  }
}
