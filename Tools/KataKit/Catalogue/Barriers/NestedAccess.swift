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
    ])

  // MARK: - Mistakes

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
      rejectedBy: ["an order is taken whole or not at all"], verdict: .crashed,
      advice: """
        An update inside an update waits for itself: use the stock's own take, which waits for \
        nobody.
        """),
    Mistake(
      "takes a lock twice", .file("NestedLock.swift"),
      rejectedBy: ["what is there can be taken, and no more"], verdict: .hung,
      advice: """
        Whoever holds a lock and asks for it again waits for itself: let the methods that lock call \
        only methods that don't.
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
      rejectedBy: ["looking and taking are one step", "an order is taken in one step"],
      advice: """
        Each call of the warehouse is a step of its own, and others come between: make the whole \
        order one update.
        """),
    Mistake(
      "takes article by article",
      .edit(takeOrder, "{\n    order.allSatisfy { take($0.value, of: $0.key) }\n  }"),
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
      rejectedBy: ["an order is taken whole or not at all"],
      advice: """
        When the second article is missing, the first has been taken: take from a copy, and make it \
        the stock when all was there.
        """),
    Mistake(
      "changes are made at the end", .file("PendingChanges.swift"),
      rejectedBy: ["what an update asks takes account of what it has changed"],
      advice: """
        A question within an update is about the stock as it has been made so far: change the stock \
        that the update is given at once.
        """),
    Mistake(
      "count goes past the lock", .edit(count, "stock.count(of: article)"),
      rejectedBy: ["an update is seen whole or not at all"],
      advice: """
        It can't deadlock that way, and sees updates that are half done: outside of an update, read \
        through the queue.
        """),
    Mistake(
      "total goes past the lock", .edit(total, "stock.total"),
      rejectedBy: ["an update is seen whole or not at all"],
      advice: """
        It can't deadlock that way, and adds up updates that are half done: outside of an update, \
        read through the queue.
        """),
    Mistake(
      "no protection", .edits([Edit(update, "try body(&stock)"), Edit(read, "try body(stock)")]),
      rejectedBy: ["an update is seen whole or not at all"],
      advice: "Passing the stock saves the waiting inside a step, not the waiting for one."),
    Mistake(
      "no barrier", .edit("queue.sync(flags: .barrier)", "queue.sync"),
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
      rejectedBy: ["what one thread adds another one sees"], verdict: .race,
      advice: """
        A number that is kept aside is shared like the rest: read it through the queue, where updates \
        change it.
        """),
  ]
}
