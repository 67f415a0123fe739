/// The list of katas with its search.
struct KataList: Equatable {
  /// The search text; katas with it in their name, module or title are shown.
  private(set) var search = ""
  /// The name of the kata that enter opens; nil if none is found.
  private(set) var selected: String?

  init(selecting name: String) {
    selected = name
  }

  /// The katas that are shown, in teaching order.
  var katas: [Kata] {
    let words = search.lowercased().split(separator: " ")
    return Catalogue.katas.filter { kata in
      let text = "\(kata.name) \(kata.module.rawValue) \(kata.title)".lowercased()
      return words.allSatisfy { text.contains($0) }
    }
  }

  var selectedIndex: Int? { katas.firstIndex { $0.name == selected } }

  /// Handles a key that moves the selection or changes the search.
  mutating func press(_ key: Key, visibleRows: Int) {
    switch key {
    case .down: move(by: 1)
    case .up: move(by: -1)
    case .pageDown: move(by: max(1, visibleRows - 1))
    case .pageUp: move(by: 1 - max(2, visibleRows))
    case .home: move(by: -Catalogue.katas.count)
    case .end: move(by: Catalogue.katas.count)
    case .escape: find("")
    case .backspace: find(String(search.dropLast()))
    case .character(let character): find(search + String(character))
    case .enter, .endOfInput: break
    }
  }

  private mutating func move(by count: Int) {
    let katas = katas
    guard let index = selectedIndex else { return }
    selected = katas[min(max(0, index + count), katas.count - 1)].name
  }

  /// Searches, and keeps the selection if possible.
  private mutating func find(_ text: String) {
    search = text
    let katas = katas
    if selectedIndex == nil { selected = katas.first?.name }
  }
}
