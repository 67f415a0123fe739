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

      Exit codes: 0 done, 1 not done, 2 usage, 3 environment, 5 passed but races weren't looked for; for judge
      also 4: the code keeps the contract of Operation, and breaks only what the kata adds. TEST_TIMEOUT is the
      time in seconds that a spec waits for what must happen. KATA_WAY=plain judges by 'swift test'; KATA_WAY=fast
      never does. KATA_SCHEDULES is the time in seconds for finding schedules that break an answer; 0 finds
      none.

      """
  }

  private static func row(_ left: String, _ right: String) -> String {
    "  " + left.padding(toLength: 26, withPad: " ", startingAt: 0) + right
  }
}
