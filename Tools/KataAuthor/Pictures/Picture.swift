import Foundation
import KataKit
import KataPictures

/// What the timeline of a test showed in a run.
struct Picture: Codable, Equatable, Sendable {
  /// The test's name.
  let test: String
  /// What the spec objected; nil at the end of a test that didn't object.
  var says: String?
  let events: [TimelineEvent]
}

extension SpecRun {
  /// What the timelines of the spec showed, in the order of drawing.
  ///
  /// A line that was cut short, as by a crash, is left out.
  var pictures: [Picture] {
    pictureLines.split(separator: UInt8(ascii: "\n"))
      .compactMap { try? JSONDecoder().decode(Picture.self, from: $0) }
  }
}
