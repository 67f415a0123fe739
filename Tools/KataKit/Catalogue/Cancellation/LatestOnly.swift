extension Kata {
  static let latestOnly = Kata(
    "LatestOnly", module: .cancellation,
    title: "Search as you type: the newest request alone is heard",
    difficulty: 4, minutes: 35, needs: ["CancelInFlight"],
    hints: [
      """
      A reply comes in, on some thread. What tells you whether it's the newest request's? Not its \
      query. And when is it too early to ask that? As long as the answer can still be replaced before \
      somebody hears it.
      """,
      """
      Make an object for each request, and keep the newest one behind the lock. ask and cancel put \
      another in its place and give up the old one. A reply goes to the answer queue by async, and \
      there, just before onAnswer, you look whether its request is still the one you keep. The object \
      knows how far its request is: being begun, in flight, over; or given up while being begun.
      """,
      """
      ask: let request = Request(); swap it in under the lock, older?.giveUp(); let cancelRequest = \
      begin(query) { [weak self, answerQueue] answer in guard request.hasReplied() else { return }; \
      answerQueue.async { [weak self] in if it's still the newest, onAnswer } }; \
      request.hasBegun(cancelRequest). giveUp: in flight → over and cancel it; being begun → unwanted. \
      hasBegun: unwanted → cancel it at once; being begun → in flight. hasReplied → over; true only if \
      it was neither unwanted nor over. deinit gives up the newest.
      """,
    ],
    questions: [
      Question(
        "Why isn't it enough to compare the query of an answer with the text in the field?",
        answer: """
          Somebody types "ca", then "cat", then "ca" again: the answer to the first "ca" has the \
          right text, and is stale. What counts is the request and not what it asks for.
          """),
      Question(
        """
        An answer came in time and waits in the answer queue when the next request is made. Where \
        does it have to be stopped?
        """,
        answer: """
          On the answer queue, when it's about to be delivered. A look taken when the answer came \
          is out of date by then.
          """),
      Question(
        """
        Stale answers are ignored. Why are old requests cancelled as well, and why isn't \
        cancelling enough?
        """,
        answer: """
          Uncancelled they cost connection, server and battery for nothing. But an answer may be \
          on its way already when its request is cancelled, so it has to be refused too.
          """),
    ],
    mistakes: staleMistakes + requestMistakes + lifeMistakes + lockMistakes,
    rightAnswers: [
      RightAnswer("tickets behind the standard library's mutex", .file("Tickets.swift")),
      RightAnswer("decisions on a serial queue", .file("SerialQueue.swift")),
      RightAnswer("answers as work items that can be cancelled", .file("WorkItems.swift")),
    ],
    unproven: [
      Unproven("A field in which somebody types", "why it's wanted"),
      Unproven("Replies come in any order", "why it's wanted"),
      Unproven("hears that one to its end", "leaves it to the answer queue"),
      Unproven("What cancels a request that is under way; returns soon.", "asks it of the request"),
      Unproven("Creates one that hasn't asked for anything.", "there's nothing yet to ask for"),
      Unproven("Begins a request and returns what cancels it.", "asks it of the closure"),
    ],
    equivalents: [
      Equivalent("made twice: replaceNewest(by: nil)", "The second finds none."),
      Equivalent("made twice: older?.giveUp()", "It is given up already."),
    ])

  private static let firstReplyOnly = "      guard request.hasReplied() else { return }\n"
  private static let anyReply = "      _ = request.hasReplied()\n"
  private static let isNewest = "    let isNewest = lock.withLock { newest === request }\n"
  private static let state = "  private nonisolated(unsafe) var newest: Request?\n"
  private static let generics = "public final class LatestOnly<Query: Sendable,"
  private static let equatable = "public final class LatestOnly<Query: Equatable & Sendable,"
  private static let asking = "    let request = Request()\n"

  // MARK: - What is heard

  private static let staleMistakes = [
    Mistake(
      "whoever replies is heard",
      .edits([Edit(firstReplyOnly, anyReply), Edit(isNewest, "    let isNewest = true\n")]),
      breaks: [
        "passes on the answer to the newest question alone",
        "no answer to an older request is delivered any more",
      ],
      rejectedBy: [
        "a stale answer is never heard", "the same query asked again is another request",
        "an answer that waits in the answer queue may still go stale",
      ],
      advice:
        "Replies come in any order: deliver an answer only if its request is still the newest."),
    Mistake(
      "looks when the reply comes",
      .edit(isNewest, "    let isNewest = true\n"),
      breaks: ["nor one that came in time and still waits in the answer queue"],
      rejectedBy: ["an answer that waits in the answer queue may still go stale"],
      advice: """
        Between the reply and its turn on the answer queue another request may be made: look there, \
        just before you call onAnswer.
        """),
    Mistake(
      "compares by text",
      .edits([
        Edit(generics, equatable),
        Edit(state, state + "  private nonisolated(unsafe) var asked: Query?\n"),
        Edit(asking, asking + "    lock.withLock { asked = query }\n"),
        Edit(firstReplyOnly, anyReply),
        Edit(isNewest, "    let isNewest = lock.withLock { newest != nil && asked == query }\n"),
      ]),
      breaks: [
        "It's the request that counts, not what it asks for",
        "Called with the query and the answer of the newest request.",
      ],
      rejectedBy: ["the same query asked again is another request"],
      advice: """
        Somebody types a letter and takes it back: two requests have the same text, and the first of \
        them is stale. Tell requests apart by a number or an object.
        """),
    Mistake(
      "skips a query that it has asked",
      .edits([
        Edit(generics, equatable),
        Edit(state, state + "  private nonisolated(unsafe) var asked: Query?\n"),
        Edit(
          asking,
          """
              let isSame = lock.withLock {
                defer { asked = query }
                return asked == query
              }
              guard !isSame else { return }

          """ + asking),
      ]),
      breaks: ["the same query asked again is another request"],
      rejectedBy: ["the same query asked again is another request"],
      advice: """
        Who asks again wants to know again, for the first time may have failed: each ask begins a \
        request.
        """),
    Mistake(
      "drops only what comes out of order",
      .edits([
        Edit(
          state,
          state + """
              private nonisolated(unsafe) var count = 0
              private nonisolated(unsafe) var lastHeard = 0

            """),
        Edit(
          asking,
          asking + """
                let number = lock.withLock {
                  count += 1
                  return count
                }

            """),
        Edit(firstReplyOnly, anyReply),
        Edit("to: query, of: request) }", "to: query, of: number) }"),
        Edit("of request: Request) {\n", "of number: Int) {\n"),
        Edit(
          isNewest,
          """
              let isNewest = lock.withLock {
                defer { lastHeard = max(lastHeard, number) }
                return number > lastHeard
              }

          """),
      ]),
      breaks: ["no answer to an older request is delivered any more"],
      rejectedBy: ["a stale answer is never heard"],
      advice: """
        It isn't enough that nothing newer was heard: as soon as something newer was asked, the older \
        answer is stale.
        """),
    Mistake(
      "every reply is heard",
      .edit(firstReplyOnly, anyReply),
      breaks: ["once for each request, however often it replies"],
      rejectedBy: ["a second reply of a request isn't heard"],
      advice: "A request has one answer: forget about it when it has replied."),
    Mistake(
      "heard on the thread of the reply",
      .edit(
        "      answerQueue.async { [weak self] in self?.deliver(answer, to: query, of: request) }\n",
        "      self?.deliver(answer, to: query, of: request)\n"),
      breaks: ["**Answers come on the answer queue**", "The queue to deliver answers on"],
      rejectedBy: [
        "an answer is heard, on the answer queue",
        "a reply inside begin is heard, after ask has returned",
      ],
      advice: """
        The reply comes on the network's thread, and whoever hears the answer relies on the queue that \
        it chose.
        """),
    Mistake(
      "waits for the answer queue",
      .edit("      answerQueue.async {", "      answerQueue.sync {"),
      breaks: ["never inside ``ask(_:)``"],
      rejectedBy: ["a reply inside begin is heard, after ask has returned"], verdict: .crashed,
      advice: """
        Who asks is often on the answer queue, and an answer at hand would wait there for itself: \
        deliver by async.
        """),
    Mistake(
      "begins on another thread",
      .edits([
        Edit(
          "    let cancelRequest = begin(query) {",
          "    DispatchQueue.global().async { [self] in\n    let cancelRequest = begin(query) {"),
        Edit(
          "    request.hasBegun(cancelRequest)\n",
          "    request.hasBegun(cancelRequest)\n    }\n"),
      ]),
      breaks: ["Called inside ``ask(_:)``."],
      rejectedBy: ["a request is begun by whoever asks"],
      advice: """
        On a busy machine that thread comes late, and who asks may be gone by then: call begin inside \
        ask.
        """),
    Mistake(
      "waits for the answer",
      .edits([
        Edit(
          "    let cancelRequest = begin(query) {",
          "    let answered = DispatchSemaphore(value: 0)\n    let cancelRequest = begin(query) {"),
        Edit(firstReplyOnly, "      answered.signal()\n" + firstReplyOnly),
        Edit(
          "    request.hasBegun(cancelRequest)\n",
          "    request.hasBegun(cancelRequest)\n    answered.wait()\n"),
      ]),
      breaks: ["Doesn't wait for an answer."],
      rejectedBy: ["an answer is heard, on the answer queue"], verdict: .hung,
      advice: """
        Who asks is often the main thread, and who types on asks the next question before the answer \
        is there: return, and deliver it later.
        """),
    Mistake(
      "asks later",
      .edit(
        "  public func ask(_ query: Query) {\n",
        """
          public func ask(_ query: Query) {
            answerQueue.async { self.askLater(query) }
          }

          private func askLater(_ query: Query) {

        """),
      breaks: ["which is the newest from now on"],
      rejectedBy: ["an answer that waits in the answer queue may still go stale"],
      advice: """
        When ask has returned nobody may hear an older answer: make the new request the newest at \
        once.
        """),
  ]

  // MARK: - What is cancelled

  private static let requestMistakes = [
    Mistake(
      "doesn't cancel",
      .edit("    older?.giveUp()\n", "    _ = older\n"),
      breaks: ["**Older requests are cancelled**", "and cancels the one before it"],
      rejectedBy: ["an older request is cancelled", "cancel silences until the next ask"],
      advice: """
        Nobody hears the older requests, and they keep the network busy while the newest waits: cancel \
        them.
        """),
    Mistake(
      "cancels, then takes its place",
      .edit(
        """
            let older = lock.withLock {
              defer { newest = request }
              return newest
            }
            older?.giveUp()

        """,
        """
            lock.withLock { newest }?.giveUp()
            lock.withLock { newest = request }

        """),
      breaks: ["which is the newest from now on", "**Older requests are cancelled**"],
      rejectedBy: ["asked inside a request's cancel, the last one is heard"],
      advice: """
        While the older one is being cancelled somebody may ask for something newer, which you put out \
        of its place uncancelled: swap them in one step, then cancel.
        """),
    Mistake(
      "a request that is replaced while it begins runs on",
      .edit("    if case .unwanted = before { cancelRequest() }\n", "    _ = before\n"),
      breaks: ["is cancelled as soon as `begin` has returned"],
      rejectedBy: [
        "replaced while it's being begun, it's cancelled then",
        "cancelled while it's being begun, the request is cancelled then",
      ],
      advice: """
        When it was given up there was nothing to cancel it with: look when begin has returned, and \
        cancel it then.
        """),
    Mistake(
      "cancels what has replied meanwhile",
      .edit(
        "    let before = move { _ in .over }\n",
        """
            let before = move { phase in
              if case .unwanted = phase { .unwanted } else { .over }
            }

        """),
      breaks: ["unless it has replied by then"],
      rejectedBy: ["replaced while it's being begun, it may reply before that ends"],
      advice: """
        A request that nobody wants may reply all the same, and is over then: note that, so that it \
        isn't cancelled when its begin returns.
        """),
    Mistake(
      "what begins last takes the newest one's place", .file("CurrentRequest.swift"),
      breaks: ["which is the newest from now on"],
      rejectedBy: ["replaced while it's being begun, it's cancelled then"],
      advice: """
        The begin of an older request may return after that of a newer one: look whose it is before you \
        keep what cancels it.
        """),
    Mistake(
      "forgets that it has replied",
      .edit("    let before = move { _ in .over }\n", "    let before = move { $0 }\n"),
      breaks: ["unless they have replied"],
      rejectedBy: [
        "a request that has replied isn't cancelled", "a second reply of a request isn't heard",
        "of a request that is over nothing is kept",
      ],
      advice: "With its reply a request is over: let go of what cancels it."),
    Mistake(
      "keeps a request that replied while it was begun",
      .edit(
        """
              case .beginning: .inFlight(cancelRequest)
              case .unwanted, .inFlight, .over: .over

        """,
        """
              case .beginning, .over: .inFlight(cancelRequest)
              case .unwanted, .inFlight: .over

        """),
      breaks: ["Of a request that is over nothing is kept."],
      rejectedBy: [
        "a reply inside begin is heard, after ask has returned",
        "of a request that is over nothing is kept",
      ],
      advice: """
        A request that has its answer at hand replies before begin returns; what cancels it comes after \
        the end, and must not be kept.
        """),
  ]

  // MARK: - Its life

  private static let lifeMistakes = [
    Mistake(
      "cancel leaves the answer in line",
      .edit("    replaceNewest(by: nil)\n", "    lock.withLock { newest }?.giveUp()\n"),
      breaks: ["Gives up the newest request"],
      rejectedBy: ["an answer that waits in the answer queue may still go stale"],
      advice: """
        The request had replied, so there was nothing to cancel; but its answer waits in the answer \
        queue, and after cancel() no request is the newest.
        """),
    Mistake(
      "cancelled once and for all",
      .edits([
        Edit(state, state + "  private nonisolated(unsafe) var isCancelled = false\n"),
        Edit(
          "    replaceNewest(by: nil)\n",
          "    lock.withLock { isCancelled = true }\n    replaceNewest(by: nil)\n"),
        Edit(asking, "    guard !lock.withLock({ isCancelled }) else { return }\n" + asking),
      ]),
      breaks: ["nothing is heard until the next ``ask(_:)``"],
      rejectedBy: ["cancel silences until the next ask"],
      advice: "A cell is reused and a field typed into again: the next ask must be heard."),
    Mistake(
      "its requests keep it alive",
      .edit("[weak self, answerQueue] answer in", "[self, answerQueue] answer in"),
      breaks: ["Requests in flight don't keep it alive"],
      rejectedBy: ["let go of, it cancels and is silent"],
      advice: """
        The request in flight holds its reply, so whatever that captures lives as long: capture self \
        weakly.
        """),
    Mistake(
      "an answer in line keeps it alive",
      .edit(
        "      answerQueue.async { [weak self] in self?.deliver(answer, to: query, of: request) }\n",
        """
              guard let self else { return }
              answerQueue.async { self.deliver(answer, to: query, of: request) }

        """),
      breaks: ["it's as if it had been cancelled"],
      rejectedBy: ["an answer that waits in the answer queue may still go stale"],
      advice: """
        Nobody may hear an answer once the owner has let go of it: capture self weakly in the answer \
        queue too.
        """),
    Mistake(
      "let go of, it leaves its request behind",
      .edit("  deinit { newest?.giveUp() }\n\n", ""),
      breaks: ["it's as if it had been cancelled"],
      rejectedBy: ["let go of, it cancels and is silent"],
      advice: "Nobody can cancel the request any more once you are gone: do it in deinit."),
    Mistake(
      "keeps the newest query",
      .edits([
        Edit(state, state + "  private nonisolated(unsafe) var asked: Query?\n"),
        Edit(asking, asking + "    lock.withLock { asked = query }\n"),
      ]),
      breaks: ["Of a request that is over nothing is kept."],
      rejectedBy: ["of a request that is over nothing is kept"],
      advice: """
        The query of a request that is over stays in memory until the next one is asked, which may be \
        never: the closures that need it hold it already.
        """),
    Mistake(
      "keeps the answer",
      .edits([
        Edit(state, state + "  private nonisolated(unsafe) var last: Answer?\n"),
        Edit(
          "    onAnswer(query, answer)\n",
          "    lock.withLock { last = answer }\n    onAnswer(query, answer)\n"),
      ]),
      breaks: ["Of a request that is over nothing is kept."],
      rejectedBy: ["of a request that is over nothing is kept"],
      advice: "Who hears an answer keeps what it needs of it: pass it on, and keep nothing."),
    Mistake(
      "keeps what cancels a request",
      .edits([
        Edit(
          "  private nonisolated(unsafe) var phase = Phase.beginning\n",
          """
            private nonisolated(unsafe) var phase = Phase.beginning
            private nonisolated(unsafe) var kept: (@Sendable () -> Void)?

          """),
        Edit(
          "    let before = move { phase in\n      switch phase {\n      case .beginning: .inFlight",
          """
              lock.withLock { kept = cancelRequest }
              let before = move { phase in
                switch phase {
                case .beginning: .inFlight
          """),
      ]),
      breaks: ["Of a request that is over nothing is kept."],
      rejectedBy: ["of a request that is over nothing is kept"],
      advice: """
        The request holds its reply, the reply holds your record, and that holds what cancels the \
        request: let go of it when the request is over.
        """),
  ]

  // MARK: - The lock

  private static let lockMistakes = [
    Mistake(
      "begins a request with the lock held",
      .edits([
        Edit(
          "    let cancelRequest = begin(query)",
          "    lock.lock()\n    let cancelRequest = begin(query)"),
        Edit(
          "    request.hasBegun(cancelRequest)\n",
          "    lock.unlock()\n    request.hasBegun(cancelRequest)\n"),
      ]),
      breaks: ["No lock is held while a request is begun or cancelled"],
      rejectedBy: [
        "replaced while it's being begun, it's cancelled then",
        "nobody has to wait for what is called",
      ],
      verdict: .hung,
      advice: """
        To begin a request may take a while, and who types on waits for the lock that you hold: call \
        begin without it.
        """),
    Mistake(
      "cancels a request with the lock held",
      .edit(
        """
            let older = lock.withLock {
              defer { newest = request }
              return newest
            }
            older?.giveUp()

        """,
        """
            lock.withLock {
              newest?.giveUp()
              newest = request
            }

        """),
      breaks: ["No lock is held while a request is begun or cancelled"],
      rejectedBy: [
        "asked inside a request's cancel, the last one is heard",
        "nobody has to wait for what is called",
      ], verdict: .hung,
      advice: """
        To cancel a request may take a while, and everybody waits for the lock that you hold: take the \
        older one out under the lock, and give it up without.
        """),
    Mistake(
      "cancels a request with its own lock held",
      .edit(
        "    if case .inFlight(let cancelRequest) = before { cancelRequest() }\n",
        "    if case .inFlight(let cancelRequest) = before { lock.withLock { cancelRequest() } }\n"),
      breaks: ["No lock is held while a request is begun or cancelled"],
      rejectedBy: ["a reply inside a request's cancel isn't heard"], verdict: .hung,
      advice: """
        Many requests reply before their cancel returns, and wait for the lock that you hold: call out \
        without it.
        """),
    Mistake(
      "delivers with the lock held",
      .edit(
        isNewest + "    guard isNewest else { return }\n    onAnswer(query, answer)\n",
        "    lock.withLock { if newest === request { onAnswer(query, answer) } }\n"),
      breaks: ["so each may call ``ask(_:)`` and ``cancel()``"],
      rejectedBy: ["whoever hears an answer may ask and cancel"], verdict: .hung,
      advice: """
        Whoever hears an answer may ask the next question, and waits for the lock that you hold: decide \
        under the lock, deliver without it.
        """),
    Mistake(
      "delivers with a recursive lock held",
      .edits([
        Edit(
          "  private let lock = NSLock()\n  // Safe: guarded by `lock`.\n" + state,
          "  private let lock = NSRecursiveLock()\n" + state),
        Edit(
          isNewest + "    guard isNewest else { return }\n    onAnswer(query, answer)\n",
          "    lock.withLock { if newest === request { onAnswer(query, answer) } }\n"),
      ]),
      breaks: ["or an answer delivered"],
      rejectedBy: ["nobody has to wait for what is called"],
      advice: """
        A recursive lock lets only its own thread in again; every other one waits until onAnswer \
        returns: call out without a lock.
        """),
    Mistake(
      "looks on the answer queue without the lock",
      .edit(isNewest, "    let isNewest = newest === request\n"),
      breaks: ["Safe to use from every thread"],
      rejectedBy: ["while an answer is delivered, another thread may make it stale"],
      verdict: .race,
      advice: """
        The answer queue looks while another thread asks: the newest request is guarded only if \
        everybody takes the lock.
        """),
    Mistake(
      "nothing guards the newest request",
      .edits([
        Edit(
          """
              let older = lock.withLock {
                defer { newest = request }
                return newest
              }

          """,
          """
              let older = newest
              newest = request

          """),
        Edit(isNewest, "    let isNewest = newest === request\n"),
      ]),
      breaks: [
        "Safe to use from every thread", "What a request calls with its answer, on any thread.",
      ],
      rejectedBy: [
        "two calls may come from two threads",
        "while an answer is delivered, another thread may make it stale",
      ],
      verdict: .race,
      advice: "ask and cancel may come from any thread: guard the newest request with the lock."),
  ]
}
