import Foundation
import KataKit

extension Catalogue {
  /// The katas that names separated by commas mean, in teaching order.
  static func katas(listed names: String) throws -> [Kata] {
    let chosen = try names.split(separator: ",")
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
      .reduce(into: Set()) { $0.formUnion(try katas(named: $1).map(\.name)) }
    guard !chosen.isEmpty else {
      throw KataError("Which katas? Name some: 'KATA=Barriers,SerialLog'.", .usage)
    }
    return katas.filter { chosen.contains($0.name) }
  }
}
