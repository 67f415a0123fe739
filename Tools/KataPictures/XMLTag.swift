/// An element of an XML document.
public struct XMLTag {
  /// The tag's name.
  public let name: String
  /// The attributes in order; one with nil is left out.
  public var attributes: KeyValuePairs<String, String?>
  /// Its text, before its elements.
  public var text: String
  /// Its child elements.
  public var elements: [XMLTag]

  /// Creates an element.
  public init(
    name: String, attributes: KeyValuePairs<String, String?> = [:], text: String = "",
    elements: [XMLTag] = []
  ) {
    self.name = name
    self.attributes = attributes
    self.text = text
    self.elements = elements
  }

  /// The whole document, with this as its root.
  public var document: String {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + rendered(indent: 0)
  }

  private func rendered(indent: Int) -> String {
    let margin = String(repeating: "  ", count: indent)
    let start =
      attributes.reduce(into: "\(margin)<\(name)") { tag, attribute in
        guard let value = attribute.value else { return }
        tag += " \(attribute.key)=\"\(Self.escaped(value, inAttribute: true))\""
      }
    if text.isEmpty, elements.isEmpty { return "\(start)/>\n" }
    let body = Self.escaped(text, inAttribute: false)
    if elements.isEmpty { return "\(start)>\(body)</\(name)>\n" }
    let inner = elements.map { $0.rendered(indent: indent + 1) }.joined()
    return "\(start)>\(body)\n\(inner)\(margin)</\(name)>\n"
  }

  /// Text that is valid in XML 1.0.
  ///
  /// Characters that XML forbids even in escaped form, such as most control characters, become
  /// U+FFFD. In an attribute, a parser turns unescaped line ends into spaces.
  public static func escaped(_ text: String, inAttribute: Bool) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"" where inAttribute: escaped += "&quot;"
      case "\n" where inAttribute, "\t" where inAttribute, "\r": escaped += "&#\(scalar.value);"
      case "\n", "\t", " "..."\u{D7FF}", "\u{E000}"..."\u{FFFD}", "\u{10000}"..."\u{10FFFF}":
        escaped.unicodeScalars.append(scalar)
      default: escaped += "\u{FFFD}"
      }
    }
    return escaped
  }
}
