import Foundation

/// Progress as it leaves a machine: the fields of the clone's own file, and the participant's name.
///
/// So a clone's own file can be imported too, and an exported one can replace it.
package struct SharedProgress: Codable, Equatable, Sendable {
  /// The participant's name, if given.
  package let name: String?
  package let progress: Progress

  private enum CodingKeys: String, CodingKey {
    case name
  }

  init(_ progress: Progress, name: String?) {
    self.progress = progress
    self.name = name
  }

  package init(from decoder: any Decoder) throws {
    progress = try Progress(from: decoder)
    // A name that can't be given as an option can't be read either.
    name = try decoder.container(keyedBy: CodingKeys.self)
      .decodeIfPresent(String.self, forKey: .name).map(Self.checked)
  }

  package func encode(to encoder: any Encoder) throws {
    try progress.encode(to: encoder)
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encodeIfPresent(name, forKey: .name)
  }

  /// Reads a file that `kata export` has written.
  ///
  /// Throws a sentence that says what is wrong with it.
  package static func read(_ path: String) throws -> SharedProgress {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw KataError("There is no '\(path)'; name a file that 'make export' has written.", .usage)
    }
    guard !isFolder.boolValue, let data = FileManager.default.contents(atPath: path) else {
      throw KataError(
        "'\(path)' can't be read; name a file that 'make export' has written.", .usage)
    }
    do {
      return try JSONDecoder().decode(SharedProgress.self, from: data)
    } catch is Progress.Newer {
      throw KataError(
        "'\(path)' was written by a newer version; update this clone, then import it.",
        .environment)
    } catch {
      throw KataError(
        "'\(path)' isn't a file that 'make export' has written, or it's damaged; export it again.",
        .usage)
    }
  }

  /// A participant's name, checked for use in a file and on a scoreboard: one line, and not too
  /// long.
  static func checked(name: String) throws -> String {
    let trimmed = name.trimmingCharacters(in: .whitespacesAndNewlines)
    let isPlain = !trimmed.unicodeScalars.contains { $0.properties.generalCategory == .control }
    guard !trimmed.isEmpty, trimmed.count <= 60, isPlain else {
      throw KataError(
        "WHO (--name) takes one line of up to 60 characters: 'make export WHO=Ada'.", .usage)
    }
    return trimmed
  }
}
