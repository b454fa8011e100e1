package import DatastoreCore

/// Tests count keys.
extension RowKey {
  package init(_ number: Int) { self.init(Int64(number)) }

  /// The key that is a number greater, or less; from the greatest to the least.
  package static func + (key: RowKey, distance: Int64) -> RowKey {
    RowKey(key.rawValue &+ distance)
  }
}

extension [RowKey] {
  /// The keys that are all these numbers.
  package init(_ numbers: ClosedRange<Int64>) { self = numbers.map { RowKey($0) } }
}
