import Foundation
import KataKit
import KataPictures

/// The timeline of a test in a run.
struct Picture: Codable, Equatable, Sendable {
  /// The test's name.
  let test: String
  /// The spec's message; nil at the end of a test that hasn't failed.
  var says: String?
  let events: [TimelineEvent]
}

extension SpecRun {
  /// The timelines of the spec, in the order of drawing.
  ///
  /// An incomplete line, after a crash for example, is left out.
  var pictures: [Picture] {
    pictureLines.split(separator: UInt8(ascii: "\n"))
      .compactMap { try? JSONDecoder().decode(Picture.self, from: $0) }
  }
}
