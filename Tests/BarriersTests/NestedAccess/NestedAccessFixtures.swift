/// What somebody asks of a warehouse.
enum WarehouseCall: String, CaseIterable, Sendable {
  case count, total, read, update, add, take, takeOrder

  /// Calls the warehouse, where there are ten apples.
  ///
  /// - Returns: How many of them were there, as far as the call tells.
  func make(_ warehouse: Warehouse) -> Int {
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
      return 10
    case .take: return warehouse.take(10, of: "apples") ? 10 : 0
    case .takeOrder: return warehouse.take(["apples": 10]) ? 10 : 0
    }
  }

  /// How many apples it leaves of ten.
  var left: Int {
    switch self {
    case .count, .total, .read: 10
    case .update, .add: 11
    case .take, .takeOrder: 0
    }
  }
}

/// How somebody takes the last two apples.
enum WarehouseTaking: String, CaseIterable, Sendable {
  case take, takeOrder

  func make(_ warehouse: Warehouse) -> Bool {
    switch self {
    case .take: warehouse.take(2, of: "apples")
    case .takeOrder: warehouse.take(["apples": 2])
    }
  }
}
