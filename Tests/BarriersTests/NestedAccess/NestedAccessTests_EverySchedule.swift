import KataTesting
import Testing

extension NestedAccessTests {
  // MARK: - Every schedule

  @Test func `in every schedule each call is one step`() {
    explore(CallList(Self.subject, calls: [Self.add, Self.takeOrder, Self.exchange, Self.total]))
  }

  typealias Call = ModelledCall<Warehouse, Shelf>

  static let subject = ModelledSubject<Warehouse, Shelf>(
    model: Shelf(),
    { Warehouse(Stock(["apples": Shelf().apples, "pears": Shelf().pears])) },
    end: {
      "\($0.count(of: "apples")) apples, \($0.count(of: "pears")) pears, \($0.total) in all"
    },
    modelEnd: { "\($0.apples) apples, \($0.pears) pears, \($0.apples + $0.pears) in all" })

  static let add = Call("add(2, of: apples)") {
    $0.add(2, of: "apples")
  } model: { shelf in
    shelf.apples += 2
  }

  static let takeOrder = Call("take(1 apple and 1 pear)") {
    $0.take(["apples": 1, "pears": 1])
  } model: { shelf in
    guard shelf.apples > 0, shelf.pears > 0 else { return false }
    (shelf.apples, shelf.pears) = (shelf.apples - 1, shelf.pears - 1)
    return true
  }

  /// In the midst of it the total is too small.
  static let exchange = Call("update { an apple for two pears }") {
    $0.update { stock in
      if stock.take(1, of: "apples") { stock.add(2, of: "pears") }
    }
  } model: { shelf in
    if shelf.apples > 0 { (shelf.apples, shelf.pears) = (shelf.apples - 1, shelf.pears + 2) }
  }

  static let total = Call("total") {
    $0.total
  } model: {
    $0.apples + $0.pears
  }

  static let apples = Call("count(of: apples)") {
    $0.count(of: "apples")
  } model: { shelf in
    shelf.apples
  }
}

struct Shelf: Sendable {
  var apples = 1
  var pears = 1
}
