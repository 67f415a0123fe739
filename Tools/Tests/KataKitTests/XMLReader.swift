/// Reads an XML 1.0 document into a tree and throws at whatever isn't well-formed.
///
/// It knows what reports may contain: a declaration, elements, attributes, text, the five named
/// characters and numbered ones. Foundation's parser would make every test program here need a
/// library that not every Linux has, and it lets an element stay open.
///
/// Source: the XML 1.0 recommendation, fifth edition.
struct XMLReader {
  final class Element {
    let name: String
    var attributes: [String: String] = [:]
    var text = ""
    var children: [Element] = []

    init(_ name: String) { self.name = name }

    /// The elements of this name below this one.
    func all(_ name: String) -> [Element] {
      children.flatMap { ($0.name == name ? [$0] : []) + $0.all(name) }
    }
  }

  struct Malformed: Error {
    let what: String
  }

  private var rest: Substring.UnicodeScalarView

  static func read(_ text: String) throws -> Element {
    var reader = XMLReader(rest: text[...].unicodeScalars)
    if reader.takes("<?xml ") {
      while !reader.takes("?>") { _ = try reader.next() }
    }
    reader.skipSpace()
    let root = try reader.element()
    reader.skipSpace()
    guard reader.rest.isEmpty else { throw Malformed(what: "something after the root") }
    return root
  }

  private mutating func element() throws -> Element {
    try take("<")
    let element = Element(try name())
    while true {
      let hasSpace = skipSpace()
      if takes("/>") { return element }
      if takes(">") { break }
      guard hasSpace else { throw Malformed(what: "no space before an attribute") }
      let key = try name()
      try take("=")
      guard element.attributes.updateValue(try value(), forKey: key) == nil else {
        throw Malformed(what: "\(key) twice")
      }
    }
    while !takes("</") {
      if rest.first == "<" {
        element.children.append(try self.element())
      } else if takes("]]>") {
        throw Malformed(what: "]]> in text")
      } else {
        element.text.unicodeScalars.append(try character())
      }
    }
    try take(element.name)
    skipSpace()
    try take(">")
    return element
  }

  private mutating func value() throws -> String {
    let quote = try next()
    guard quote == "\"" || quote == "'" else { throw Malformed(what: "an attribute unquoted") }
    var value = ""
    while rest.first != quote {
      guard rest.first != "<" else { throw Malformed(what: "< in an attribute") }
      let isSpace = rest.first.map { " \n\t\r".unicodeScalars.contains($0) } ?? false
      let scalar = try character()
      value.unicodeScalars.append(isSpace ? " " : scalar)
    }
    _ = try next()
    return value
  }

  /// The next character of text, as it is meant.
  private mutating func character() throws -> Unicode.Scalar {
    if takes("\r\n") || takes("\r") { return "\n" }
    guard takes("&") else { return try next() }
    var reference = ""
    while !takes(";") { reference.unicodeScalars.append(try next()) }
    let named: [String: Unicode.Scalar] = [
      "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
    ]
    if let scalar = named[reference] { return scalar }
    guard reference.hasPrefix("#"), let number = UInt32(reference.dropFirst()),
      let scalar = Unicode.Scalar(number), Self.isLegal(scalar)
    else { throw Malformed(what: "&\(reference);") }
    return scalar
  }

  private mutating func name() throws -> String {
    var name = ""
    while let scalar = rest.first, scalar.properties.isAlphabetic || scalar == "-" {
      name.unicodeScalars.append(scalar)
      rest.removeFirst()
    }
    guard !name.isEmpty else { throw Malformed(what: "no name") }
    return name
  }

  private mutating func next() throws -> Unicode.Scalar {
    guard let scalar = rest.popFirst() else { throw Malformed(what: "an end too early") }
    guard Self.isLegal(scalar) else { throw Malformed(what: "U+\(scalar.value)") }
    return scalar
  }

  private mutating func take(_ text: String) throws {
    guard takes(text) else { throw Malformed(what: "no \(text)") }
  }

  private mutating func takes(_ text: String) -> Bool {
    guard rest.starts(with: text.unicodeScalars) else { return false }
    rest.removeFirst(text.unicodeScalars.count)
    return true
  }

  @discardableResult
  private mutating func skipSpace() -> Bool {
    let before = rest.count
    while let scalar = rest.first, " \n\t\r".unicodeScalars.contains(scalar) { rest.removeFirst() }
    return rest.count < before
  }

  private static func isLegal(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
  }
}
