import Foundation

/// What 'kata help' prints.
enum Usage {
  static var text: String {
    let commands = KataCommand.allCases.map { command in
      row("\(command.rawValue) \(command.help.operand)", command.help.text)
    }
    let options = Option.allCases.map { option in
      let rule = option.rule
      let names = rule.commands.map(\.rawValue).joined(separator: ", ")
      return row("--\(option) \(rule.value?.name ?? "")", "(\(names)) \(rule.help)")
    }
    return """
      usage: kata [command] [kata] [options]

      \(commands.joined(separator: "\n"))

      \(options.joined(separator: "\n"))

      Exit codes: 0 done, 1 not done, 2 usage, 3 environment, 5 passed but races weren't looked for; of judge
      4, where the contract of Operation is kept and only the kata asks for more. TEST_TIMEOUT sets, in
      seconds, how long a spec waits for what must happen. KATA_WAY=plain judges by 'swift test'; KATA_WAY=fast
      never does. KATA_SCHEDULES sets, in seconds, how long schedules are looked for that break an answer; 0
      looks for none.

      """
  }

  private static func row(_ left: String, _ right: String) -> String {
    "  " + left.padding(toLength: 26, withPad: " ", startingAt: 0) + right
  }
}
