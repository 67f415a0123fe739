import KataKit

extension TeachingOrder {
  /// The text of the file for some katas, which are in teaching order.
  static func text(of katas: [Kata]) -> String {
    let parts = Module.allCases.compactMap { module in
      let names = katas.filter { $0.module == module }.map { "  \($0.name)\n" }.joined()
      return names.isEmpty ? nil : "\n\(module.rawValue)\n\(names)"
    }
    return "# The katas in the order in which they are taught, below the names of their modules.\n"
      + parts.joined()
  }
}
