import Foundation

/// The text of the files that a proof writes: sorted, with each entry on a line of its own, so that
/// a change of one entry changes one line.
enum GeneratedJSON {
  /// A JSON object with each member on a line of its own, sorted by name.
  static func object(_ members: [String: some Encodable], indent: String = "") throws -> String {
    guard !members.isEmpty else { return "{}" }
    let lines = try members.sorted { $0.key < $1.key }
      .map { "\(indent)  \(try line($0.key)): \(try line($0.value))" }
    return "{\n\(lines.joined(separator: ",\n"))\n\(indent)}"
  }

  private static func line(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}
