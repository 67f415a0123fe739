import Foundation
import KataKit

/// A handout as a template repository for GitHub Classroom, which grades it with our workflow.
///
/// The workflow uses only the katas' files of a student's repository. It takes everything else from
/// the commit in its history whose other files have the recorded digest.
struct ClassroomTemplate {
  let repository: Repository
  let katas: [Kata]

  private static let source = ".ci/classroom.yml"
  private static let workflow = ".github/workflows/classroom.yml"

  /// Adds the workflow to the handout in `folder`, and moves that folder to its destination.
  ///
  /// An existing folder that isn't empty isn't changed.
  func finish(_ folder: String, as output: String) throws {
    let place = URL(filePath: output)
    if let names = try? FileManager.default.contentsOfDirectory(atPath: place.path) {
      guard names.isEmpty else {
        throw KataError("'\(output)' isn't empty; name a new folder, or remove it.", .usage)
      }
      try? FileManager.default.removeItem(at: place)
    }
    try repository.write(try workflow(for: folder), to: "\(folder)/\(Self.workflow)")
    do {
      try FileManager.default.createDirectory(
        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.moveItem(at: repository.url(folder), to: place)
    } catch {
      throw KataError.cannotWrite(output, error)
    }
  }

  /// The workflow with the katas, their points and the digest of all files that students don't
  /// edit.
  private func workflow(for folder: String) throws -> String {
    let names = katas.map { "\($0.module.rawValue)/\($0.name)" }
    let template = try repository.text(Self.source)
    return
      template
      .replacingOccurrences(of: "@KATAS@", with: names.joined(separator: " "))
      .replacingOccurrences(of: "@DIGEST@", with: try digest(of: folder, command(in: template)))
  }

  /// The command by which the workflow computes the digest, so that both use the same.
  private func command(in template: String) throws -> String {
    guard
      let line = template.split(separator: "\n").first(where: { $0.contains("DIGEST_COMMAND: ") }),
      let start = line.firstRange(of: "DIGEST_COMMAND: ")
    else {
      throw KataError(
        "\(Self.source) has no DIGEST_COMMAND; restore it with 'git checkout -- \(Self.source)'.",
        .environment)
    }
    return String(line[start.upperBound...])
  }

  private func digest(of folder: String, _ command: String) throws -> String {
    let process = ChildProcess(
      "/bin/sh", ["-c", command], environment: ["LC_ALL": "C"], in: repository.url(folder))
    try process.start()
    guard process.waitForEnd() == .exited(0),
      let word = process.output.split(separator: " ").first, word.count == 64
    else {
      throw KataError(
        "The digest of the template can't be computed: \(process.output)", .environment)
    }
    return String(word)
  }
}
