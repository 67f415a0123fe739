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
      RightAnswer(
        "transfers on a concurrent queue, and snapshots as its barriers",
        .edits([
          Edit(
            stored,
            """
            \(stored)  private let queue = DispatchQueue(
                label: "katas.answers.ledger", attributes: .concurrent)

            """),
          Edit(
            takeLocks + look + refuse + move,
            """
                let refusal: Overdraft? = queue.sync {
                  let numbers: Set = [source, target]
                  lock(numbers)
                  defer { unlock(numbers) }
                  let balance = accounts[source].balance
                  guard balance >= amount else {
                    return Overdraft(account: source, balance: balance, amount: amount)
                  }
                  accounts[source].balance -= amount
                  accounts[target].balance += amount
                  return nil
                }
                if let refusal { throw refusal }

            """),
          Edit(
            "\(snapshotLocks)    return accounts.map { $0.balance }\n",
            """
                queue.sync(flags: .barrier) {
                  let numbers = Set(accounts.indices)
                  lock(numbers)
                  defer { unlock(numbers) }
                  return accounts.map { $0.balance }
                }

            """),
        ])),
    ],
    unproven: [
      Unproven("a balance, and the lock that guards it", "what it is"),
      Unproven("Takes the account's lock; blocks", "asks something of the account"),
      Unproven("A thread that has it already waits", "warns the caller"),
      Unproven("Gives the lock back, on the thread", "asks something of the caller"),
      Unproven("It needs all of them, so a transfer may wait", "allows something"),
      Unproven("Creates the error.", "the stub does it"),
      Unproven("The accounts; each stands there once.", "asks something of the caller"),
      Unproven("Creates a ledger of plain accounts", "the stub does it"),
      Unproven("amount: How much to move.", "what it is"),
      Unproven("There are accounts with these numbers", "asks something of the caller"),
      Unproven("A plain account.", "what it is"),
      Unproven("Opens an account with `balance`.", "the stub does it"),
      Unproven("What is in the account.", "the stub does it"),
    ],
    equivalents: [
      Equivalent("swapped with the next: lock(numbers)", "Nothing ends in between."),
      Equivalent("swapped with the next: lock(numbers) (2)", "Nothing ends in between."),
      Equivalent("swapped with the next: defer { unlock(numbers) }", "Nothing ends in between."),
      Equivalent(
        "swapped with the next: accounts[source].balance -= amount",
        "Both are done under both locks."),
    ])

  // MARK: - Mistakes

  private static let touched = "a balance is touched only by who has its lock"
  private static let overdraft = "an overdraft is refused, and nothing moves"
  private static let itself = "an account can send to itself"
  private static let red = "an account that is in the red gives nothing"
  private static let both = "every transfer waits for both accounts, however it ends"
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
      breaks: ["Transfers never wait for each other in a circle"],
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
      breaks: ["A transfer waits for its own two accounts"],
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
      breaks: ["A transfer waits for its own two accounts"],
      rejectedBy: [noOthers],
      advice: """
        Who waits for an account holds up everybody who wants to take any: agree on an order instead, \
        and nothing needs to be held.
        """),
    Mistake(
      "all locks for every transfer", .edit(numbers, "    let numbers = Set(accounts.indices)\n"),
      breaks: ["A transfer waits for its own two accounts"],
      rejectedBy: [noOthers],
      advice: "A transfer needs two accounts; let the others go on."),
    Mistake(
      "locks only where it takes from", .edit(numbers, "    let numbers: Set = [source]\n"),
      breaks: [
        "A balance is read and changed only by a thread that holds",
        "read and changed by whoever holds its lock",
        "Blocks until nobody else holds the lock of either",
      ],
      rejectedBy: [touched],
      advice: "The other account changes too: two who give to it at once overwrite each other."),
    Mistake(
      "looks outside the lock", .edit(takeLocks + look + refuse, look + refuse + takeLocks),
      breaks: [
        "A balance is read and changed only by a thread that holds",
        "read and changed by whoever holds its lock",
        "A transfer moves an amount in one step, or is refused",
      ],
      rejectedBy: [touched, stillTrue],
      advice: """
        Until the lock is there somebody else may have taken it all: look when you hold the account.
        """),
    Mistake(
      "looks under a lock of its own",
      .edit(
        takeLocks + look + refuse,
        "    accounts[source].lock()\n\(look)    accounts[source].unlock()\n\(refuse)\(takeLocks)"),
      breaks: [
        "A transfer moves an amount in one step, or is refused",
        "Moves `amount` from an account to another one, in one step",
        "between which money is moved and never lost",
      ],
      rejectedBy: [stillTrue],
      advice: """
        Each step has its lock, and between them the balance may change: look and take without letting \
        go.
        """),
    Mistake(
      "hand over hand", .file("HandOverHand.swift"),
      breaks: [
        "A transfer moves an amount in one step, or is refused",
        "Moves `amount` from an account to another one, in one step",
        "`balances` shows all accounts at one moment", "What is in the accounts, all at one moment",
      ],
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
      breaks: ["A transfer from an account to itself"],
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
      breaks: [
        "A transfer from an account to itself", "between which money is moved and never lost",
      ],
      rejectedBy: [itself],
      advice: """
        Both balances were read before either was written, and here they are the same one: change it in \
        place, or leave it.
        """),
    Mistake(
      "an account may send itself what it hasn't",
      .edit(numbers, "    guard source != target else { return }\n\(numbers)"),
      breaks: ["A transfer from an account to itself"],
      rejectedBy: [itself],
      advice:
        "A transfer that moves nothing is a transfer: look whether there is enough, as always."),
    Mistake(
      "keeps the locks when it refuses",
      .edits([
        Edit(takeLocks, "\(numbers)    lock(numbers)\n"),
        Edit(move, "\(move)    unlock(numbers)\n"),
      ]),
      breaks: ["All locks are given back, however it ends"],
      rejectedBy: [touched, overdraft],
      advice: "throw leaves past the line that gives the locks back; a defer doesn't let it."),
    Mistake(
      "refuses to empty an account", .edit("balance >= amount", "balance > amount"),
      breaks: ["where `source` has less than `amount`; then nothing has moved"],
      rejectedBy: [overdraft],
      advice: "All that is there may be taken; that leaves nothing, which isn't less than nothing."),
    Mistake(
      "lends", .edit("guard balance >= amount", "guard amount >= 0"),
      breaks: [
        "where `source` has less than `amount`; then nothing has moved",
        "An account doesn't have what was to be taken from it",
      ],
      rejectedBy: [overdraft],
      advice: "Look whether there is enough, and throw an Overdraft where there isn't."),
    Mistake(
      "a transfer of nothing is over at once",
      .edit(numbers, "    guard amount > 0 else { return }\n\(numbers)"),
      breaks: [
        "where `source` has less than `amount`; then nothing has moved",
        "Blocks until nobody else holds the lock of either",
      ],
      rejectedBy: [red, both],
      advice: """
        A transfer of nothing is a transfer: an account that is in the red hasn't even that, and \
        whoever holds its lock keeps everybody waiting.
        """),
    Mistake(
      "looks first whether it's worth waiting",
      .edit(
        takeLocks,
        """
            accounts[source].lock()
            let available = accounts[source].balance
            accounts[source].unlock()
            guard available >= amount else {
              throw Overdraft(account: source, balance: available, amount: amount)
            }
        \(takeLocks)
        """),
      breaks: ["Blocks until nobody else holds the lock of either"],
      rejectedBy: [both],
      advice: """
        What is in one account at the first look says nothing about the moment at which both locks are \
        there, and by then somebody may have paid in: take both, then look.
        """),
    Mistake(
      "works out what would be left",
      .edit(
        refuse + move,
        """
            let rest = balance - amount
            guard rest >= 0 else {
              throw Overdraft(account: source, balance: balance, amount: amount)
            }
            accounts[source].balance -= amount
            accounts[target].balance += amount

        """),
      breaks: ["where `source` has less than `amount`; then nothing has moved"],
      rejectedBy: [red], verdict: .crashed,
      advice: """
        The difference of two numbers may be too large for an Int, and then the program stops: compare \
        them instead.
        """),
    Mistake(
      "takes before it refuses",
      .edits([
        Edit(refuse, "    accounts[source].balance -= amount\n\(refuse)"),
        Edit(move, "    accounts[target].balance += amount\n"),
      ]),
      breaks: [
        "where `source` has less than `amount`; then nothing has moved",
        "A transfer moves an amount in one step, or is refused",
        "between which money is moved and never lost",
      ],
      rejectedBy: [overdraft],
      advice: "A transfer that is refused moves nothing: look first, then take."),
    Mistake(
      "a snapshot without locks", .edit(snapshotLocks, ""),
      breaks: [
        "`balances` shows all accounts at one moment", "What is in the accounts, all at one moment",
        "Blocks until nobody else holds the lock of any of them",
        "A balance is read and changed only by a thread that holds",
      ],
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
      breaks: [
        "`balances` shows all accounts at one moment", "What is in the accounts, all at one moment",
      ],
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
      breaks: ["Transfers never wait for each other in a circle"],
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
      breaks: ["A transfer waits for its own two accounts"],
      rejectedBy: ["transfers that share no account share nothing"], verdict: .race,
      advice: """
        Locks protect what everybody touches under the same one; a sum over all accounts needs a lock \
        of its own.
        """),
    Mistake(
      "a snapshot that looks until it has seen the same twice",
      .edits([
        Edit(
          "\(snapshotLocks)    return accounts.map { $0.balance }\n",
          "    while true {\n      let seen = looked\n      if seen == looked { return seen }\n    }\n"
        ),
        Edit(
          "  /// Takes the locks of some accounts,",
          """
            private var looked: [Int] {
              accounts.map { account in
                account.lock()
                defer { account.unlock() }
                return account.balance
              }
            }

            /// Takes the locks of some accounts,
          """),
      ]),
      breaks: [
        "`balances` shows all accounts at one moment", "What is in the accounts, all at one moment",
      ],
      rejectedBy: ["a snapshot shows one moment, even if it looks the same twice"],
      advice: """
        Between the looks money may have gone and come back, and both looks are wrong alike: hold all the \
        locks, and look once.
        """),
    Mistake(
      "a refusal that looks again",
      .edit(
        takeLocks + look + refuse,
        """
            let numbers: Set = [source, target]
            lock(numbers)
            guard accounts[source].balance >= amount else {
              unlock(numbers)
              accounts[source].lock()
              defer { accounts[source].unlock() }
              throw Overdraft(account: source, balance: accounts[source].balance, amount: amount)
            }
            defer { unlock(numbers) }

        """),
      breaks: ["What is in it.", "A transfer moves an amount in one step, or is refused"],
      rejectedBy: ["a refusal tells what was there when it was refused"],
      advice: """
        Until the second look somebody may have paid in, and the error says that there was enough: keep \
        what you have seen under the first lock.
        """),
    Mistake(
      "a refusal that names the other account",
      .edit("Overdraft(account: source,", "Overdraft(account: target,"),
      breaks: ["The number of the account."],
      rejectedBy: [overdraft],
      advice: "What is missing is missing where it was to be taken from: name that account."),
    Mistake(
      "a refusal that tells what is missing",
      .edit(
        "balance: balance, amount: amount)", "balance: balance, amount: amount - balance)"),
      breaks: ["What was to be taken from it."],
      rejectedBy: [overdraft],
      advice: "The error holds what was asked for and what was there; anybody can subtract."),
    Mistake(
      "a refusal that tells what would be left",
      .edit(
        "balance: balance, amount: amount)", "balance: balance - amount, amount: amount)"),
      breaks: ["What is in it."],
      rejectedBy: [overdraft],
      advice: "Nothing has moved, so the balance is what it was: tell that."),
    Mistake(
      "the wrong way round",
      .edit(
        move,
        """
            accounts[source].balance += amount
            accounts[target].balance -= amount

        """),
      breaks: ["source: The number of the account", "target: The number of the account"],
      rejectedBy: ["a transfer moves the amount"],
      advice: "It's taken from the source, which has just been looked at, and given to the target."),
    Mistake(
      "accounts of its own",
      .edit(
        "    self.accounts = accounts\n",
        "    self.accounts = accounts.map { PlainAccount(balance: $0.balance) }\n"),
      breaks: ["Creates a ledger of `accounts`"],
      rejectedBy: ["a transfer moves the amount", noOthers],
      advice: """
        A copy isn't the account: others who hold its lock freeze nothing, and whoever handed it in never \
        sees the money move.
        """),
    Mistake(
      "locks of its own",
      .edits([
        Edit(stored, "\(stored)  private let locks: [NSLock]\n"),
        Edit(
          "    self.accounts = accounts\n",
          "    self.accounts = accounts\n    locks = accounts.map { _ in NSLock() }\n"),
        Edit("{ accounts[number].lock() }", "{ locks[number].lock() }"),
        Edit("{ accounts[number].unlock() }", "{ locks[number].unlock() }"),
      ]),
      breaks: [
        "A balance is read and changed only by a thread that holds",
        "Blocks until nobody else holds the lock of either",
        "Blocks until nobody else holds the lock of any of them",
      ],
      rejectedBy: [touched, noOthers],
      advice: """
        Others know the accounts' own locks, and change a balance while you hold another one: take the \
        locks that came with the accounts.
        """),
    Mistake(
      "a plain account that locks each access",
      .edits([
        Edit("    get { amount }\n", "    get { guardian.withLock { amount } }\n"),
        Edit(
          "    set { amount = newValue }\n", "    set { guardian.withLock { amount = newValue } }\n"
        ),
        Edit("{ guardian.lock() }", "{}"),
        Edit("{ guardian.unlock() }", "{}"),
      ]),
      breaks: ["Takes the lock; blocks", "Gives the lock back."],
      rejectedBy: ["a plain account keeps others out until its lock is given back"],
      advice: """
        Each access is safe and the steps aren't: between reading and writing somebody else writes; the \
        lock is for whoever takes it.
        """),
  ]
}
