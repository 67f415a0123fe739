/// The edits that change a whole type: state of one object is shared by all, a lock is held during
/// callbacks, an immediate callback is delayed.
///
/// No test finds these that uses one object, on one thread, at a time.
struct TypeRules {
  /// A type at the top of a source, from its header to its closing brace.
  private struct TopLevelType {
    let lines: Range<Int>
    let isGeneric: Bool
    let isClass: Bool
    let isPublic: Bool
  }

  /// Imports that the edits need; at the end, so that the first line that differs is the edited
  /// one.
  private static let imports = "\n\nimport Dispatch\nimport Foundation\n"

  private let source: SourceStatements
  private let types: [TopLevelType]
  /// The names of closures: properties and parameters.
  private let closures: Set<String>

  init(_ source: SourceStatements) {
    self.source = source
    let lines = source.lines
    closures = Set(
      lines.flatMap { line in
        line.code.matches(of: #/(\w+): (?:@escaping )?(?:@Sendable )?\(*[^:]*\) (?:throws )?->/#)
          .map { String($0.1) }
      })
    types = lines.indices.compactMap { first in
      let header = #/(?:(?:public|private|open|final) )*(class|struct) \w+(<)?.*/#
      guard let match = lines[first].code.wholeMatch(of: header),
        let end = lines.indices.first(where: { $0 > first && lines[$0].text == "}" })
      else { return nil }
      return TopLevelType(
        lines: first..<end + 1, isGeneric: match.2 != nil, isClass: match.1 == "class",
        isPublic: lines[first].code.contains(#/^(public|open) /#))
    }
  }

  var edits: [MutationRules.NamedEdit] {
    types.flatMap { sharedProperties(of: $0) + lockedMembers(of: $0) } + lateCalls
  }

  // MARK: - Shared by all objects

  /// Makes a private property with an initial value shared by all objects.
  ///
  /// A lock may be shared.
  private func sharedProperties(of type: TopLevelType) -> [MutationRules.NamedEdit] {
    type.lines.compactMap { number in
      let line = source.lines[number]
      let property =
        #/  private (?:nonisolated\(unsafe\) )?(weak )?(let|var) (\w+)(?:: ([^={]+?))?( = [^{]+?)? */#
      guard line.opens == 0, let match = line.code.wholeMatch(of: property),
        match.5 != " = NSLock()",
        let name = match.4.map({ String($0) }) ?? match.5.flatMap({ Self.type(of: $0) }),
        match.5 != nil || (match.2 == "var" && name.hasSuffix("?"))
      else { return nil }
      let (weak, value) = (match.1 ?? "", match.5.map { line.text(of: $0) } ?? "")
      let scope = type.isGeneric ? "" : "static "
      let storage = "private nonisolated(unsafe) \(scope)\(weak)var shared: \(name)\(value)"
      let owner = type.isGeneric ? "" : "Self."
      var lines = source.lines.map(\.text)
      lines[number] = """
          private var \(match.3): \(name) {
            get { \(owner)shared }
            set { \(owner)shared = newValue }
          }
        """
      if type.isGeneric { lines.append(storage) } else { lines[number] += "\n  \(storage)" }
      return ("one for all objects: \(line.text.drop { $0 == " " })", text(lines))
    }
  }

  /// The type of a value, if its first word shows it.
  private static func type(of value: Substring) -> String? {
    if value.contains(#/^ = (true|false)$/#) { return "Bool" }
    return value.prefixMatch(of: #/ = ([A-Z]\w*)[.(]/#).map { String($0.1) }
  }

  // MARK: - A callback under a lock

  /// Every member that other code calls holds a recursive lock, one for each object, from its
  /// beginning to its end.
  ///
  /// Only types that call closures behave differently then.
  private func lockedMembers(of type: TopLevelType) -> [MutationRules.NamedEdit] {
    let callsOut = type.lines.contains { number in
      let code = source.lines[number].code
      return code.contains("willChangeValue")
        || code.matches(of: #/(\w+)\??\(/#).contains { closures.contains(String($0.1)) }
    }
    let opening = type.lines.first { source.lines[$0].words.hasSuffix("{") }
    guard callsOut, type.isClass, type.isPublic, let opening else { return [] }
    var lines = source.lines.map(\.text)
    lines[opening] += "\n  private let everyMember = NSRecursiveLock()"
    for number in type.lines where isMember(source.lines[number]) {
      let head = source.lines[number]
      if let body = head.code.firstMatch(of: #/\{ (.+) \}$/#) {
        let result = head.text(of: body.1)
        lines[number] =
          "\(head.text.dropLast(result.count + 2))everyMember.withLock { \(result) } }"
      } else if let start = type.lines.first(where: { $0 >= number && opensBody($0) }) {
        lines[start] += "\n    everyMember.lock()\n    defer { everyMember.unlock() }"
        if head.code.contains(" var ") || source.lines[start].code.contains("->"),
          let only = onlyExpression(behind: start)
        {
          lines[only] = "    return " + lines[only].drop { $0 == " " }
        }
      }
    }
    let header = source.lines[type.lines.lowerBound].text.prefix { !":<".contains($0) }
    return [("a recursive lock held in every member: \(header)", text(lines))]
  }

  private func isMember(_ line: SourceLine) -> Bool {
    line.indent == 2 && !line.code.contains(" static ")
      && line.words.prefixMatch(of: #/(public|override|open) .*\b(func|var)\b/#) != nil
  }

  /// Whether a member's statements begin after a line; those of a throwing getter are indented
  /// further.
  private func opensBody(_ number: Int) -> Bool {
    source.lines[number].words.hasSuffix("{") && !source.lines[number + 1].words.hasPrefix("get ")
  }

  /// The first line of a body that is a single expression with an implicit return.
  private func onlyExpression(behind head: Int) -> Int? {
    let body = source.statements.filter { $0.indent == 4 }.drop { $0.lines.lowerBound <= head }
    guard let only = body.first, source.lines[only.lines.upperBound].text == "  }",
      source.lines[only.lines.lowerBound].words.prefixMatch(of: #/(return|guard|while|for)\b/#)
        == nil
    else { return nil }
    return only.lines.lowerBound
  }

  // MARK: - Called later

  /// Calls a closure from outside on a global queue.
  private var lateCalls: [MutationRules.NamedEdit] {
    source.statements.compactMap { statement in
      let line = source.lines[statement.lines.lowerBound]
      guard statement.lines.count == 1,
        let match = line.words.wholeMatch(of: #/(\w+)\??\(.*\)/#),
        closures.contains(String(match.1))
      else { return nil }
      let call = line.text.drop { $0 == " " }
      var lines = source.lines.map(\.text)
      lines[statement.lines.lowerBound] =
        "\(String(repeating: " ", count: line.indent))DispatchQueue.global().async { [self] in \(call) }"
      return ("called later: \(call)", text(lines))
    }
  }

  private func text(_ lines: [String]) -> String {
    lines.joined(separator: "\n") + Self.imports
  }
}
