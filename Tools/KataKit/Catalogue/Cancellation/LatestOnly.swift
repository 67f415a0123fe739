extension Kata {
  static let latestOnly = Kata(
    "LatestOnly", module: .cancellation,
    title: "Search as you type: only the newest request may answer",
    difficulty: 4, minutes: 45, needs: ["CancelInFlight"],
    hints: [
      """
      Two questions are asked at two moments. When somebody asks again: is there a request under way, \
      and what cancels it? When an answer is about to be delivered, on its queue: is it still the \
      newest one's?
      """,
      """
      Keep the newest request as a small object with a phase: being begun, under way with what \
      cancels it, over, replaced. A reply moves it to over, the next ask to replaced; both happen \
      under the lock. An answer is delivered if its object is still the newest, looked at on the queue.
      """,
      """
      ask: make the object, put it in newest's place under the lock, cancel the old one outside. \
      Call request, then under the lock: begun → under way; replaced → cancel it now. The reply: \
      [weak self]; if begun or under way → over, then queue.async { if newest === object, under the \
      lock, { newest = nil }; then onAnswer outside it }. deinit does what cancel() does.
      """,
    ],
    mistakes: staleMistakes + cancelMistakes + deliveryMistakes + lockMistakes + endMistakes,
    rightAnswers: [
      RightAnswer("a serial queue for the states", .file("SerialQueue.swift")),
      RightAnswer("numbers behind the standard library's mutex", .file("NumbersAndMutex.swift")),
      RightAnswer("a ticket for each request", .file("TicketForEach.swift")),
    ])

  // MARK: - Stale answers

  private static let deliverIfNewest = "    if isNewest { onAnswer(answer, query) }\n"

  /// Lets replies of replaced requests get as far as the queue.
  private static let letAllReply = [
    Edit("      case .beginning, .underWay:\n", "      case .beginning, .underWay, .replaced:\n"),
    Edit("      case .over, .replaced: return nil\n", "      case .over: return nil\n"),
  ]

  private static let staleMistakes = [
    Mistake(
      "whoever replies is delivered",
      .edits(
        letAllReply + [Edit(deliverIfNewest, "    _ = isNewest\n    onAnswer(answer, query)\n")]),
      rejectedBy: [
        "an older answer is never delivered", "the same query asked again is another request",
        "an answer that waits in the queue may be replaced",
      ],
      advice: """
        A cancelled request may reply all the same, and replies come in any order: deliver an answer \
        only if its request is still the newest.
        """),
    Mistake(
      "looks when the answer comes",
      .edit(deliverIfNewest, "    _ = isNewest\n    onAnswer(answer, query)\n"),
      rejectedBy: ["an answer that waits in the queue may be replaced"],
      advice: """
        Between the look and the delivery the answer waits in line, and somebody may ask again: look \
        on the queue, just before onAnswer.
        """),
    Mistake(
      "compares by text",
      .edits(
        letAllReply + [
          Edit(
            "    // Safe: guarded by the `lock` of its owner.\n",
            """
                let text: String
                init(_ text: String) { self.text = text }
                // Safe: guarded by the `lock` of its owner.

            """),
          Edit("let flight = Flight()", "let flight = Flight(\"\\(query)\")"),
          Edit("newest === flight", "newest?.text == flight.text"),
        ]),
      rejectedBy: ["the same query asked again is another request"],
      advice: """
        Whoever types a letter, deletes it and types it again has asked for the same text twice: tell \
        requests apart by an object or a number of their own.
        """),
    Mistake(
      "a second reply counts",
      .edits([
        Edit("        defer { flight.phase = .over }\n", ""), Edit("      newest = nil\n", ""),
      ]),
      rejectedBy: ["the second reply of a request has no effect"],
      advice: "Not every callback comes once: the first reply counts, note that it has come."),
    Mistake(
      "a reply that comes at once is lost",
      .edits([
        Edit("      case .beginning, .underWay:\n", "      case .underWay:\n"),
        Edit(
          "      case .over, .replaced: return nil\n",
          "      case .beginning, .over, .replaced: return nil\n"),
      ]),
      rejectedBy: ["a reply inside the request is delivered too"],
      advice: """
        A request with its answer at hand replies before it returns: it must be the newest before it \
        is begun.
        """),
  ]

  // MARK: - Cancelling

  private static let replaceAndCancel = "    replaceNewest(by: flight)?()\n"

  private static let cancelMistakes = [
    Mistake(
      "doesn't cancel", .edit(replaceAndCancel, "    _ = replaceNewest(by: flight)\n"),
      rejectedBy: [
        "a request that is replaced is cancelled", "it is cancelled before the next one is begun",
      ],
      advice: """
        An answer that nobody will hear costs as much as one that somebody waits for: cancel the \
        request.
        """),
    Mistake(
      "cancels when the next one has begun",
      .edit(
        replaceAndCancel,
        "    let cancelOlder = replaceNewest(by: flight)\n    defer { cancelOlder?() }\n"),
      rejectedBy: ["it is cancelled before the next one is begun"],
      advice: "There may be room for one request only: cancel the old one, then begin the new one."),
    Mistake(
      "cancels again and again",
      .edits([
        Edit("      newest = flight\n", "      newest = flight ?? newest\n"),
        Edit(
          "      case .underWay(let cancelRequest):\n        old?.phase = .replaced\n",
          "      case .underWay(let cancelRequest):\n"),
      ]),
      rejectedBy: ["a request that is replaced is cancelled"],
      advice: "Once is enough: forget what cancels a request as soon as you take it to call it."),
    Mistake(
      "cancels what has replied", .edit("        defer { flight.phase = .over }\n", ""),
      rejectedBy: ["a request that has replied isn't cancelled"],
      advice: "A request that has replied is over: forget what cancels it when the reply comes."),
    Mistake(
      "cancels what replied at once",
      .edit(
        "      case .underWay, .over: return false\n      case .replaced: return true\n",
        "      case .underWay: return false\n      case .over, .replaced: return true\n"),
      rejectedBy: ["a request that replied while it was begun isn't cancelled"],
      advice: """
        When the request returns, its reply may have come: cancel it then only if it was replaced \
        before that.
        """),
    Mistake(
      "a request that is being begun runs on",
      .edit("    if isReplaced { cancelRequest() }\n", "    _ = isReplaced\n"),
      rejectedBy: ["replaced while it is begun, it is cancelled then"],
      advice: """
        Whoever replaced it had nothing to cancel it with: look when the request has returned, and \
        cancel it then.
        """),
    Mistake(
      "cancel() only cancels what is under way",
      .edit(
        "  public func cancel() {\n    replaceNewest(by: nil)?()\n",
        """
          public func cancel() {
            let cancelRequest: CancelRequest? = lock.withLock {
              guard case .underWay(let cancelRequest) = newest?.phase else { return nil }
              newest = nil
              return cancelRequest
            }
            cancelRequest?()

        """),
      rejectedBy: [
        "an answer that waits in the queue may be replaced",
        "replaced while it is begun, it is cancelled then",
      ],
      advice: """
        An answer that waits in the queue, or a request that is being begun, has to be silenced too: \
        nobody is the newest after cancel().
        """),
  ]

  // MARK: - Delivery

  private static let handOver =
    "    queue.async { [weak self] in self?.deliver(answer, to: query, from: flight) }\n"

  private static let deliveryMistakes = [
    Mistake(
      "delivers where the reply comes",
      .edit(handOver, "    deliver(answer, to: query, from: flight)\n"),
      rejectedBy: ["the answer of the only request is delivered"],
      advice: "A reply comes on any thread: hand the answer to the queue that was asked for."),
    Mistake(
      "delivers with sync",
      .edit(handOver, "    queue.sync { deliver(answer, to: query, from: flight) }\n"),
      rejectedBy: ["nobody waits for the queue"], verdict: .hung,
      advice: """
        Whoever replies is held until the queue has time, and for ever if it replies on that queue: \
        use async.
        """),
  ]

  // MARK: - The lock

  private static let lockMistakes = [
    Mistake(
      "begins the request with the lock held",
      .edits([
        Edit(
          "    let cancelRequest = request(query) { [weak self] answer in\n",
          "    lock.lock()\n    let cancelRequest = request(query) { [weak self] answer in\n"),
        Edit("    let isReplaced =", "    lock.unlock()\n    let isReplaced ="),
      ]),
      rejectedBy: ["a reply inside the request is delivered too"], verdict: .hung,
      advice: """
        A request with its answer at hand replies at once, and waits for the lock that you hold: call \
        out without it.
        """),
    Mistake(
      "cancels with the lock held",
      .edit(
        "        return cancelRequest\n      case .beginning:",
        "        cancelRequest()\n        return nil\n      case .beginning:"),
      rejectedBy: ["a reply inside the cancellation is ignored"], verdict: .hung,
      advice: """
        Many requests reply before their cancellation returns, and wait for the lock that you hold: \
        call out without it.
        """),
    Mistake(
      "delivers with the lock held",
      .edits([
        Edit("      newest = nil\n", "      newest = nil\n      onAnswer(answer, query)\n"),
        Edit(deliverIfNewest, "    _ = isNewest\n"),
      ]),
      rejectedBy: ["who is called may ask"],
      advice: """
        Whoever is told an answer may ask again, and waits for the lock that you hold: call onAnswer \
        without it.
        """),
    Mistake(
      "nothing guards the reply",
      .edits([
        Edit(
          "    let before: Flight.Phase? = lock.withLock {\n",
          "    let before: Flight.Phase? = { () -> Flight.Phase? in\n"),
        Edit(
          "      case .over, .replaced: return nil\n      }\n    }\n",
          "      case .over, .replaced: return nil\n      }\n    }()\n"),
      ]),
      rejectedBy: ["one thread asks, and another replies"], verdict: .race,
      advice: "Replies come on any thread, and somebody may ask at that moment: take the lock."),
    Mistake(
      "nothing guards the asking",
      .edits([
        Edit(
          "    lock.withLock {\n      let old = newest\n",
          "    return { () -> CancelRequest? in\n      let old = newest\n"),
        Edit(
          "      case .over, .replaced, nil: return nil\n      }\n    }\n",
          "      case .over, .replaced, nil: return nil\n      }\n    }()\n"),
      ]),
      rejectedBy: ["one thread asks, and another replies"], verdict: .race,
      advice: "Somebody asks while another thread replies: take the lock on both sides."),
    Mistake(
      "the queue looks without the lock",
      .edit(
        """
            let isNewest = lock.withLock {
              guard newest === flight else { return false }
              newest = nil
              return true
            }

        """,
        """
            let isNewest = newest === flight
            if isNewest { newest = nil }

        """),
      rejectedBy: ["one thread asks, and the queue delivers"], verdict: .race,
      advice: """
        The queue orders answers among themselves, but not against a thread that asks: take the lock \
        there too.
        """),
  ]

  // MARK: - The end

  private static let endMistakes = [
    Mistake(
      "keeps what cancels a request that replied at once",
      .edit(
        "      case .underWay, .over: return false\n",
        """
              case .underWay: return false
              case .over:
                flight.phase = .underWay(cancelRequest)
                return false

        """),
      rejectedBy: ["of a request that is over nothing is kept"],
      advice: "Its reply has come by the time the request returns: there is nothing to keep."),
    Mistake(
      "its reply keeps it",
      .edits([
        Edit("request(query) { [weak self] answer in\n", "request(query) { [self] answer in\n"),
        Edit("      self?.receive(", "      receive("),
      ]),
      rejectedBy: ["when nobody keeps it, nobody hears of it"],
      advice: """
        The request keeps the reply, and the reply this object, long after the cell that asked is \
        gone: capture self weakly.
        """),
    Mistake(
      "its request goes on without it",
      .edit("  deinit {\n    replaceNewest(by: nil)?()\n  }\n\n", ""),
      rejectedBy: ["when nobody keeps it, nobody hears of it"],
      advice: "When it goes away nobody is left to hear the answer: cancel the request in deinit."),
    Mistake(
      "an answer comes though it's gone",
      .edit(handOver, "    queue.async { self.deliver(answer, to: query, from: flight) }\n"),
      rejectedBy: ["when nobody keeps it, nobody hears of it"],
      advice: "The block that waits in the queue keeps it alive: capture self weakly there as well."
    ),
  ]
}
