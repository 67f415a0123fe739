import Foundation

/// The text of the files that a proof writes: sorted, and each entry on a line of its own, so that a change
/// of one entry is a change of one line.
enum GeneratedJSON {
  /// A JSON object whose members stand on lines of their own, in the order of their names.
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
