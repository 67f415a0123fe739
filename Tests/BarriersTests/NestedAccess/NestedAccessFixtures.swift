/// A call of a warehouse's method.
enum WarehouseCall: String, CaseIterable, Sendable {
  case count, total, read, update, add, take, takeOrder

  /// Makes the call on a warehouse that contains `apples` apples.
  ///
  /// - Returns: How many apples there were, as far as the call's result shows.
  func make(_ warehouse: Warehouse, apples: Int = 10) -> Int {
    switch self {
    case .count: return warehouse.count(of: "apples")
    case .total: return warehouse.total
    case .read: return warehouse.read { $0.count(of: "apples") }
    case .update:
      return warehouse.update { stock in
        stock.add(1, of: "apples")
        return stock.count(of: "apples") - 1
      }
    case .add:
      warehouse.add(1, of: "apples")
      return apples
    case .take: return warehouse.take(apples, of: "apples") ? apples : 0
    case .takeOrder: return warehouse.take(["apples": apples]) ? apples : 0
    }
  }

  /// How many of ten apples are left after the call.
  var left: Int {
    switch self {
    case .count, .total, .read: 10
    case .update, .add: 11
    case .take, .takeOrder: 0
    }
  }
}
