import Foundation
import KataPictures

/// What the timeline of a test showed in a run.
struct Picture: Codable, Equatable, Sendable {
  /// The test's name.
  let test: String
  /// What the spec objected; nil at the end of a test that didn't object.
  var says: String?
  let events: [TimelineEvent]
}

extension Picture {
  /// The pictures that a spec's process has left in `folder`, in the order of drawing.
  ///
  /// A line that was cut short, as by a crash, is left out.
  static func read(in folder: String) -> [Picture] {
    guard let text = try? Data(contentsOf: URL(filePath: "\(folder)/pictures.jsonl")) else {
      return []
    }
    return text.split(separator: UInt8(ascii: "\n"))
      .compactMap { try? JSONDecoder().decode(Picture.self, from: $0) }
  }
}
