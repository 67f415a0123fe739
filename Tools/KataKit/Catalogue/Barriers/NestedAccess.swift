extension Kata {
  static let nestedAccess = Kata(
    "NestedAccess", module: .barriers,
    title: "Read inside an update, without waiting for yourself",
    difficulty: 2, minutes: 25, needs: ["AtomicBox"],
    hints: [
      """
      To take two apples you have to know whether there are two, in the same step. But whoever asks \
      the warehouse within a step waits for the step to end. Who else knows how many there are?
      """,
      """
      Write what can be done to a stock into Stock: a plain value that one thread has to itself, \
      whose methods may call each other, since none of them waits. The warehouse adds the waiting and \
      nothing else: each of its methods is one call of read or update, which pass the stock to their \
      closure.
      """,
      """
      Stock.take: guard self.count(of: article) >= count else { return false }; counts[article, \
      default: 0] -= count; return true. With an order: var rest = self; for each, guard \
      rest.take(…) else { return false }; self = rest; return true. Warehouse.update: try \
      queue.sync(flags: .barrier) { try body(&stock) }. take: update { $0.take(count, of: article) }.
      """,
    ],
    questions: [
      Question(
        """
        A barrier's block calls `sync` on its own queue, or a method takes an `NSLock` that its \
        caller has. What happens in either case?
        """,
        answer: """
          A thread waits for itself. Dispatch recognises that where the thread owns the queue \
          already, and traps; the lock recognises nothing, and the thread hangs for ever.
          """),
      Question(
        "Why can the methods of `Stock` call each other, when those of `Warehouse` must not?",
        answer: """
          `Stock` is a plain value without a lock; the lock is taken once, at the warehouse's \
          door. Inside, the state is passed and nobody goes through the door again.
          """),
      Question(
        """
        `count` is safe and `take` is safe. What can go wrong with "if there are enough, take \
        them", written as two calls?
        """,
        answer: "Somebody else takes some in between. Looking and taking have to be one `update`."),
    ],
    mistakes: nestedAccessMistakes,
    rightAnswers: [
      RightAnswer("a serial queue", .edit(", attributes: .concurrent", "")),
      RightAnswer(
        "a recursive lock, and methods that call each other", .file("RecursiveLock.swift")),
      RightAnswer("a lock and snapshots", .file("Snapshots.swift")),
      RightAnswer("a POSIX read–write lock", .file("ReadWriteLock.swift")),
    ],
    unproven: [
      Unproven("How many there are of each article.", "what it is"),
      Unproven("A plain value, for one thread at a time", "what it is"),
      Unproven("Creates a stock with so many", "the stub does it"),
      Unproven("No count is negative.", "asks something of the caller"),
      Unproven("`count` isn't negative.", "asks something of the caller"),
      Unproven("How many of each article.", "what it is"),
      Unproven("Creates a warehouse with", "the stub does it"),
    ])

  // MARK: - Mistakes

  private static let throwing = "what an update that throws has changed stays changed"
  private static let takeSome = "    update { $0.take(count, of: article) }\n"
  private static let takeOrder = "{ update { $0.take(order) } }"
  private static let count = "read { $0.count(of: article) }"
  private static let total = "read { $0.total }"
  private static let update = "try queue.sync(flags: .barrier) { try body(&stock) }"
  private static let read = "try queue.sync { try body(stock) }"

  private static let nestedAccessMistakes = [
    Mistake(
      "asks the warehouse inside an update",
      .edit(
        takeSome,
        """
            update { stock in
              guard self.count(of: article) >= count else { return false }
              return stock.take(count, of: article)
            }

        """),
      breaks: ["No call waits for itself", "Takes so many of an article, if there are as many"],
      rejectedBy: ["what is there can be taken, and no more"], verdict: .crashed,
      advice: """
        The warehouse's count waits for the update to end, and the update for count: ask the stock \
        that the update is given.
        """),
    Mistake(
      "takes from the warehouse inside an update",
      .edit(
        takeOrder,
        "{\n    update { _ in order.allSatisfy { take($0.value, of: $0.key) } }\n  }"),
      breaks: ["No call waits for itself", "Takes all that is ordered, or nothing; see"],
      rejectedBy: ["an order is taken whole or not at all"], verdict: .crashed,
      advice: """
        An update inside an update waits for itself: use the stock's own take, which waits for \
        nobody.
        """),
    Mistake(
      "takes a lock twice", .file("NestedLock.swift"),
      breaks: ["No call waits for itself"],
      rejectedBy: ["what is there can be taken, and no more"], verdict: .hung,
      advice: """
        Whoever holds a lock and asks for it again waits for itself: let the methods that lock call \
        only methods that don't.
        """),
    Mistake(
      "one queue for all warehouses",
      .edits([
        Edit("  private let queue =", "  private static let queue ="),
        Edit(read, "try Self.queue.sync { try body(stock) }"),
        Edit(update, "try Self.queue.sync(flags: .barrier) { try body(&stock) }"),
      ]),
      breaks: ["No call waits for itself"],
      rejectedBy: ["no warehouse waits for another"],
      advice: """
        Who moves apples from one warehouse to another asks the second within a step of the first, and \
        waits for that very step: let each have a queue of its own.
        """),
    Mistake(
      "looks in one step and takes in another",
      .edit(
        takeSome,
        """
            guard self.count(of: article) >= count else { return false }
            update { stock in
              _ = stock.take(min(count, stock.count(of: article)), of: article)
            }
            return true

        """),
      breaks: [
        "Each call is one step: nobody sees", "Takes so many of an article, if there are as many",
      ],
      rejectedBy: ["looking and taking are one step"],
      advice: """
        Between the look and the taking somebody else may have taken: do both in one update, which \
        can ask the stock.
        """),
    Mistake(
      "looks at the whole order, then takes it",
      .edit(
        takeOrder,
        """
        {
            guard order.allSatisfy({ count(of: $0.key) >= $0.value }) else { return false }
            for (article, count) in order { take(count, of: article) }
            return true
          }
        """),
      breaks: ["Each call is one step: nobody sees", "Takes all that is ordered, or nothing; see"],
      rejectedBy: ["looking and taking are one step", "an order is taken in one step"],
      advice: """
        Each call of the warehouse is a step of its own, and others come between: make the whole \
        order one update.
        """),
    Mistake(
      "takes article by article",
      .edit(takeOrder, "{\n    order.allSatisfy { take($0.value, of: $0.key) }\n  }"),
      breaks: ["Each call is one step: nobody sees", "Takes all that is ordered, or nothing; see"],
      rejectedBy: ["an order is taken whole or not at all", "an order is taken in one step"],
      advice: """
        What was taken before something was missing is gone: make the order one update, of a copy \
        that is kept when all was there.
        """),
    Mistake(
      "gives back what it couldn't use",
      .edit(
        takeOrder,
        """
        {
            var taken: [String: Int] = [:]
            for (article, count) in order {
              guard take(count, of: article) else {
                for (article, count) in taken { add(count, of: article) }
                return false
              }
              taken[article] = count
            }
            return true
          }
        """),
      breaks: ["Each call is one step: nobody sees", "Takes all that is ordered, or nothing; see"],
      rejectedBy: ["an order is taken in one step"],
      advice: """
        In the end the stock is right, but meanwhile others see half an order, and are refused what \
        is coming back: take all of it in one update.
        """),
    Mistake(
      "leaves half an order taken",
      .edits([
        Edit("    var rest = self\n", ""),
        Edit("guard rest.take(count, of: article)", "guard take(count, of: article)"),
        Edit("    self = rest\n", ""),
      ]),
      breaks: ["or nothing where there is too little of anything"],
      rejectedBy: ["an order is taken whole or not at all"],
      advice: """
        When the second article is missing, the first has been taken: take from a copy, and make it \
        the stock when all was there.
        """),
    Mistake(
      "changes are made at the end", .file("PendingChanges.swift"),
      breaks: ["What the body of an update asks the stock", "`body` is called once, alone"],
      rejectedBy: ["what an update asks takes account of what it has changed"],
      advice: """
        A question within an update is about the stock as it has been made so far: change the stock \
        that the update is given at once.
        """),
    Mistake(
      "count goes past the lock", .edit(count, "stock.count(of: article)"),
      breaks: ["Each call is one step: nobody sees", "How many there are of an article; see"],
      rejectedBy: ["an update is seen whole or not at all"],
      advice: """
        It can't deadlock that way, and sees updates that are half done: outside of an update, read \
        through the queue.
        """),
    Mistake(
      "total goes past the lock", .edit(total, "stock.total"),
      breaks: [
        "Each call is one step: nobody sees", "How many there are of all articles together; see",
      ],
      rejectedBy: ["an update is seen whole or not at all"],
      advice: """
        It can't deadlock that way, and adds up updates that are half done: outside of an update, \
        read through the queue.
        """),
    Mistake(
      "no protection", .edits([Edit(update, "try body(&stock)"), Edit(read, "try body(stock)")]),
      breaks: [
        "Each call is one step: nobody sees", "A stock that many threads use",
        "What `body` is given is one state of the stock",
        "Blocks until the updates before it are done",
      ],
      rejectedBy: ["an update is seen whole or not at all"],
      advice: "Passing the stock saves the waiting inside a step, not the waiting for one."),
    Mistake(
      "no barrier", .edit("queue.sync(flags: .barrier)", "queue.sync"),
      breaks: [
        "Each call is one step: nobody sees", "A stock that many threads use",
        "What `body` is given is one state of the stock", "`body` is called once, alone",
        "Blocks until the updates before it are done",
      ],
      rejectedBy: ["an update is seen whole or not at all"],
      advice: "On a concurrent queue only a block with the flag .barrier runs alone."),
    Mistake(
      "gets a copy, then sets it",
      .edit(
        update,
        """
        var changed = read { $0 }
            defer { queue.sync(flags: .barrier) { stock = changed } }
            return try body(&changed)
        """),
      breaks: [
        "Changes the stock in one step and returns", "Each call is one step: nobody sees",
        "`body` is called once, alone",
      ],
      rejectedBy: ["an update is seen whole or not at all"],
      advice: """
        What others change while the body works on its copy is overwritten: the body must run inside \
        the barrier.
        """),
    Mistake(
      "tries again when somebody came between",
      .edits([
        Edit(
          update,
          """
          while true {
                let (before, begun) = queue.sync { (stock, steps) }
                var changed = before
                let result = try body(&changed)
                let isMine = queue.sync(flags: .barrier) {
                  guard steps == begun else { return false }
                  (stock, steps) = (changed, begun + 1)
                  return true
                }
                if isMine { return result }
              }
          """),
        Edit(
          "  // Safe: touched on `queue` only,",
          """
            // Safe: touched on `queue` only, and changed there only behind a barrier.
            private nonisolated(unsafe) var steps = 0
            // Safe: touched on `queue` only,
          """),
      ]),
      breaks: ["`body` is called once, alone"],
      rejectedBy: ["an update is seen whole or not at all"],
      advice: """
        Nothing is lost that way, but the body runs again, and whatever else it does it does twice: \
        let it run once, inside the barrier.
        """),
    Mistake(
      "a total that nothing guards",
      .edits([
        Edit(
          update,
          "try queue.sync(flags: .barrier) {\n      defer { pieces = stock.total }\n      return try body(&stock)\n    }"
        ),
        Edit(total, "pieces"),
        Edit("    self.stock = stock\n", "    self.stock = stock\n    pieces = stock.total\n"),
        Edit(
          "  // Safe: touched on `queue` only,",
          """
            // Safe: it isn't; it's read while an update changes it.
            private nonisolated(unsafe) var pieces: Int
            // Safe: touched on `queue` only,
          """),
      ]),
      breaks: ["A stock that many threads use"],
      rejectedBy: ["what one thread adds another one sees"], verdict: .race,
      advice: """
        A number that is kept aside is shared like the rest: read it through the queue, where updates \
        change it.
        """),
    Mistake(
      "takes back what an update has changed when it throws",
      .edit(
        update,
        """
        try queue.sync(flags: .barrier) {
              var changed = stock
              let result = try body(&changed)
              stock = changed
              return result
            }
        """),
      breaks: ["what it has changed by then stays changed"],
      rejectedBy: [throwing],
      advice: """
        An update is given the stock itself, and what it has done when it throws stays done; whoever wants \
        all or nothing works on a copy, as take does.
        """),
    Mistake(
      "the total is kept aside when an update returns",
      .edits([
        Edit(
          update,
          """
          try queue.sync(flags: .barrier) {
                let result = try body(&stock)
                pieces = stock.total
                return result
              }
          """),
        Edit(total, "queue.sync { pieces }"),
        Edit("    self.stock = stock\n", "    self.stock = stock\n    pieces = stock.total\n"),
        Edit(
          "  // Safe: touched on `queue` only,",
          """
            // Safe: touched on `queue` only, and changed there only behind a barrier.
            private nonisolated(unsafe) var pieces: Int
            // Safe: touched on `queue` only,
          """),
      ]),
      breaks: [
        "what it has changed by then stays changed",
        "How many there are of all articles together; see",
      ],
      rejectedBy: [throwing],
      advice: """
        An update that throws has changed the stock too, and the total is of what was there before: add up \
        when asked, or keep it in a defer.
        """),
    Mistake(
      "keeps the lock when a body throws", .file("KeptLock.swift"),
      breaks: [
        "the step is over then, as when it returns", "what it has changed by then stays changed",
      ],
      rejectedBy: [throwing, "a read that throws is over"], verdict: .hung,
      advice: """
        An error leaves past the line that gives the lock back, and nobody gets in any more: give it back \
        in a defer.
        """),
    Mistake(
      "a body mustn't throw",
      .edits([
        Edit(update, "queue.sync(flags: .barrier) { try! body(&stock) }"),
        Edit(read, "queue.sync { try! body(stock) }"),
      ]),
      breaks: [
        "Rethrows what `body` throws; the step", "Rethrows what `body` throws; what it has",
      ],
      rejectedBy: [throwing], verdict: .crashed,
      advice: "What the body throws is for the caller to handle: pass it on with try."),
    Mistake(
      "an article must be known",
      .edit("-> Int { counts[article, default: 0] }", "-> Int { counts[article]! }"),
      breaks: ["0 where there never was one"],
      rejectedBy: ["of what was never there, there are none"], verdict: .crashed,
      advice: "Nobody has to have added an article before it's asked for; there are 0 of it."),
    Mistake(
      "none of what isn't known can't be taken",
      .edit(
        "guard self.count(of: article) >= count else",
        "guard let there = counts[article], there >= count else"),
      breaks: ["Takes so many of an article, or none where there are fewer"],
      rejectedBy: ["of what was never there, there are none"],
      advice: "0 can be taken of everything, also of what was never there: compare with its count."),
    Mistake(
      "the last one stays",
      .edit("guard self.count(of: article) >= count", "guard self.count(of: article) > count"),
      breaks: [
        "Takes so many of an article, or none where there are fewer",
        "or nothing where there is too little of anything",
      ],
      rejectedBy: [
        "an order is taken whole or not at all", "an update is seen whole or not at all",
      ],
      advice: "All that is there may be taken; that leaves 0."),
    Mistake(
      "total counts the articles",
      .edit("{ counts.values.reduce(0, +) }", "{ counts.count }"),
      breaks: ["How many there are of all articles together."],
      rejectedBy: ["an order is taken whole or not at all"],
      advice: "Ten apples are one article and ten pieces: add up the counts."),
    Mistake(
      "adding replaces", .edit("counts[article, default: 0] += count", "counts[article] = count"),
      breaks: ["Adds so many of an article."],
      rejectedBy: ["what an update asks takes account of what it has changed"],
      advice: "What was there before stays there: add to it."),
    Mistake(
      "adds in two steps",
      .edit(
        "{ update { $0.add(count, of: article) } }",
        """
        {
            let there = self.count(of: article)
            update { stock in
              stock.take(stock.count(of: article), of: article)
              stock.add(there + count, of: article)
            }
          }
        """),
      breaks: ["Adds so many of an article; see", "Each call is one step: nobody sees"],
      rejectedBy: ["adding is one step"],
      advice: """
        What others add between the look and the setting is lost: add in one update, which asks the stock \
        that it's given.
        """),
    Mistake(
      "says yes to every order",
      .edit(
        "rest.take(count, of: article) else { return false }",
        "rest.take(count, of: article) else { return true }"),
      breaks: ["Whether the order was taken"],
      rejectedBy: ["an order is taken whole or not at all"],
      advice: "Whoever hears true sends the parcel: say false where nothing was taken."),
    Mistake(
      "readers see what was there before the last update",
      .edits([
        Edit(
          update,
          "try queue.sync(flags: .barrier) {\n      shown = stock\n      return try body(&stock)\n    }"
        ),
        Edit(read, "try queue.sync { try body(shown) }"),
        Edit("    self.stock = stock\n", "    self.stock = stock\n    shown = stock\n"),
        Edit(
          "  // Safe: touched on `queue` only,",
          """
            // Safe: touched on `queue` only, and changed there only behind a barrier.
            private nonisolated(unsafe) var shown: Stock
            // Safe: touched on `queue` only,
          """),
      ]),
      breaks: ["Calls `body` with the stock and returns", "It shows what all steps have done"],
      rejectedBy: ["an update is seen whole or not at all"],
      advice: """
        A copy that's made before the change is one update late: let readers have the stock, behind the \
        same queue.
        """),
  ]
}
