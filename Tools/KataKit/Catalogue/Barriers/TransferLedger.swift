extension Kata {
  static let transferLedger = Kata(
    "TransferLedger", module: .barriers,
    title: "Move money between accounts, with no deadlock and no loss",
    difficulty: 4, minutes: 40, needs: ["DiningPhilosophers"],
    hints: [
      """
      Take both locks, look, move, and give both back in a defer; that is the first half, with one lock \
      where an account sends to itself. For the other half: one sends from 0 to 1, another one from 1 to \
      0. Each has its first lock. What would have to be different, so that the second of them has none?
      """,
      """
      Accounts have numbers. If everybody takes the lower number first, whichever way the money goes, \
      the two meet at the same lock, and only one of them gets on. Whoever waits holds lower locks than \
      the one it waits for, so there's never a circle. balances takes all locks, in the same order, \
      before it looks at the first account.
      """,
      """
      transfer: let numbers = Set([source, target]).sorted(); for number in numbers { \
      accounts[number].lock() }; defer { for number in numbers { accounts[number].unlock() } }; let \
      balance = accounts[source].balance; guard balance >= amount else { throw Overdraft(account: \
      source, balance: balance, amount: amount) }; accounts[source].balance -= amount; \
      accounts[target].balance += amount. balances: lock all, defer unlock all, then map.
      """,
    ],
    questions: [
      Question(
        """
        How do two transfers in opposite directions lock up, and why can't they when everybody \
        takes the lower number first?
        """,
        answer: """
          Each holds its own source and waits for the other's. In order, both want the same lock \
          first, and whoever has to wait for it holds nothing that the other needs.
          """),
      Question(
        "Why does the balance have to be looked at with the locks held?",
        answer: """
          Between the look and the taking another transfer may empty the account. Both would have \
          seen enough, and one of them overdraws it.
          """),
      Question(
        """
        Somebody sums up the accounts one after the other, each under its lock. What sum comes \
        out?
        """,
        answer: """
          Perhaps a wrong one: a transfer in between may move money from an account not yet read \
          to one already read, or the other way round. All locks have to be held at one moment.
          """),
    ],
    mistakes: transferLedgerMistakes,
    rightAnswers: [
      RightAnswer("the highest number first", .file("HighestFirst.swift")),
      RightAnswer("in the order of addresses", .file("ByAddress.swift")),
      RightAnswer("all accounts at once or none", .file("ClaimsFirst.swift")),
    ])

  // MARK: - Mistakes

  private static let touched = "a balance is touched only by who has its lock"
  private static let overdraft = "an overdraft is refused, and nothing moves"
  private static let itself = "an account can send to itself"
  private static let noOthers = "a transfer waits for its own accounts and for no others"
  private static let noCircle = "transfers finish though all have stopped after their first lock"
  private static let stillTrue = "what was looked at is still true when it's taken"
  private static let oneMoment = "a snapshot shows one moment"

  private static let numbers = "    let numbers: Set = [source, target]\n"
  private static let takeLocks = "\(numbers)    lock(numbers)\n    defer { unlock(numbers) }\n"
  private static let look = "    let balance = accounts[source].balance\n"
  private static let refuse = """
        guard balance >= amount else {
          throw Overdraft(account: source, balance: balance, amount: amount)
        }

    """
  private static let move = """
        accounts[source].balance -= amount
        accounts[target].balance += amount

    """
  private static let snapshotLocks = """
        let numbers = Set(accounts.indices)
        lock(numbers)
        defer { unlock(numbers) }

    """
  private static let takeInOrder =
    "    for number in numbers.sorted() { accounts[number].lock() }\n"
  private static let stored = "  private let accounts: [any Account]\n"

  private static let transferLedgerMistakes = [
    Mistake(
      "from, then to",
      .edit(
        takeLocks,
        """
            let numbers: Set = [source, target]
            accounts[source].lock()
            if target != source { accounts[target].lock() }
            defer { unlock(numbers) }

        """),
      rejectedBy: [noCircle],
      advice: """
        Two who send in opposite directions have one lock each and wait for the other's: let everybody \
        begin with the lower number, whichever way the money goes.
        """),
    Mistake(
      "one lock for everything",
      .edits([
        Edit(stored, "\(stored)  private let oneAtATime = NSLock()\n"),
        Edit(numbers, "    oneAtATime.lock()\n    defer { oneAtATime.unlock() }\n\(numbers)"),
      ]),
      rejectedBy: [noOthers],
      advice: """
        No circle, and no two transfers at once either: the accounts' own locks are enough, taken in \
        order.
        """),
    Mistake(
      "one lock while locks are taken",
      .edits([
        Edit(stored, "\(stored)  private let taking = NSLock()\n"),
        Edit(
          takeInOrder,
          "    taking.withLock { for number in numbers { accounts[number].lock() } }\n"),
      ]),
      rejectedBy: [noOthers],
      advice: """
        Who waits for an account holds up everybody who wants to take any: agree on an order instead, \
        and nothing needs to be held.
        """),
    Mistake(
      "all locks for every transfer", .edit(numbers, "    let numbers = Set(accounts.indices)\n"),
      rejectedBy: [noOthers],
      advice: "A transfer needs two accounts; let the others go on."),
    Mistake(
      "locks only where it takes from", .edit(numbers, "    let numbers: Set = [source]\n"),
      rejectedBy: [touched],
      advice: "The other account changes too: two who give to it at once overwrite each other."),
    Mistake(
      "looks outside the lock", .edit(takeLocks + look + refuse, look + refuse + takeLocks),
      rejectedBy: [touched, stillTrue],
      advice: """
        Until the lock is there somebody else may have taken it all: look when you hold the account.
        """),
    Mistake(
      "looks under a lock of its own",
      .edit(
        takeLocks + look + refuse,
        "    accounts[source].lock()\n\(look)    accounts[source].unlock()\n\(refuse)\(takeLocks)"),
      rejectedBy: [stillTrue],
      advice: """
        Each step has its lock, and between them the balance may change: look and take without letting \
        go.
        """),
    Mistake(
      "hand over hand", .file("HandOverHand.swift"),
      rejectedBy: [oneMoment],
      advice: """
        Between the two halves the money is nowhere, and a snapshot sees that: keep both locks until \
        both accounts are changed.
        """),
    Mistake(
      "the same lock twice",
      .edits([
        Edit(numbers, "    let numbers = [source, target]\n"),
        Edit(
          "    let numbers = Set(accounts.indices)\n", "    let numbers = Array(accounts.indices)\n"
        ),
        Edit("func lock(_ numbers: Set<Int>)", "func lock(_ numbers: [Int])"),
        Edit("func unlock(_ numbers: Set<Int>)", "func unlock(_ numbers: [Int])"),
      ]),
      rejectedBy: [itself], verdict: .hung,
      advice: "An account that sends to itself is one account: take its lock once."),
    Mistake(
      "an account that sends to itself gains",
      .edit(
        move,
        """
            let there = accounts[target].balance
            accounts[source].balance = balance - amount
            accounts[target].balance = there + amount

        """),
      rejectedBy: [itself],
      advice: """
        Both balances were read before either was written, and here they are the same one: change it in \
        place, or leave it.
        """),
    Mistake(
      "an account may send itself what it hasn't",
      .edit(numbers, "    guard source != target else { return }\n\(numbers)"),
      rejectedBy: [itself],
      advice:
        "A transfer that moves nothing is a transfer: look whether there is enough, as always."),
    Mistake(
      "keeps the locks when it refuses",
      .edits([
        Edit(takeLocks, "\(numbers)    lock(numbers)\n"),
        Edit(move, "\(move)    unlock(numbers)\n"),
      ]),
      rejectedBy: [touched, overdraft],
      advice: "throw leaves past the line that gives the locks back; a defer doesn't let it."),
    Mistake(
      "refuses to empty an account", .edit("balance >= amount", "balance > amount"),
      rejectedBy: [overdraft],
      advice: "All that is there may be taken; that leaves nothing, which isn't less than nothing."),
    Mistake(
      "lends", .edit("guard balance >= amount", "guard amount >= 0"), rejectedBy: [overdraft],
      advice: "Look whether there is enough, and throw an Overdraft where there isn't."),
    Mistake(
      "takes before it refuses",
      .edits([
        Edit(refuse, "    accounts[source].balance -= amount\n\(refuse)"),
        Edit(move, "    accounts[target].balance += amount\n"),
      ]),
      rejectedBy: [overdraft],
      advice: "A transfer that is refused moves nothing: look first, then take."),
    Mistake(
      "a snapshot without locks", .edit(snapshotLocks, ""),
      rejectedBy: [touched, "a snapshot doesn't see half a transfer"],
      advice: "It looks in the middle of a transfer, when money is taken and not yet given."),
    Mistake(
      "a snapshot of one account after the other",
      .edits([
        Edit(snapshotLocks, ""),
        Edit(
          "    return accounts.map { $0.balance }\n",
          """
              return accounts.map { account in
                account.lock()
                defer { account.unlock() }
                return account.balance
              }

          """),
      ]),
      rejectedBy: [oneMoment],
      advice: """
        Each balance is right, and the sum isn't: money moves from one that was counted to one that \
        will be. Hold all the locks before you look at the first.
        """),
    Mistake(
      "a snapshot from the back",
      .edit(
        snapshotLocks,
        """
            for number in accounts.indices.reversed() { accounts[number].lock() }
            defer { unlock(Set(accounts.indices)) }

        """),
      rejectedBy: ["so does a snapshot beside a transfer"],
      advice: "An order helps only if everybody keeps to it, whoever takes two locks or more."),
    Mistake(
      "a tally beside the locks",
      .edits([
        Edit(
          stored,
          """
          \(stored)  // Safe: it isn't; everybody who changes it holds locks, but not the same ones.
            private nonisolated(unsafe) var moved = 0

          """),
        Edit(move, "\(move)    moved += amount\n"),
      ]),
      rejectedBy: ["transfers that share no account share nothing"], verdict: .race,
      advice: """
        Locks protect what everybody touches under the same one; a sum over all accounts needs a lock \
        of its own.
        """),
  ]
}
