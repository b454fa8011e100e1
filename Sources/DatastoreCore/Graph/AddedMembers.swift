/// The members that came to a to-many relationship since the last save, and in which order.
///
/// Finding, adding and removing one is O(1), since a relationship may gain many at once.
struct AddedMembers {
  /// Counts up, by key.
  private var places: [RowKey: Int] = [:]
  private var lastPlace = 0

  var isEmpty: Bool { places.isEmpty }
  var count: Int { places.count }

  func contains(_ key: RowKey) -> Bool { places[key] != nil }

  /// Adds a member behind the others; one that is there stays where it is.
  mutating func insert(_ key: RowKey) {
    guard places[key] == nil else { return }
    lastPlace += 1
    places[key] = lastPlace
  }

  /// - Returns: whether it was there.
  @discardableResult
  mutating func remove(_ key: RowKey) -> Bool { places.removeValue(forKey: key) != nil }

  /// Gives members other keys; their order stays.
  mutating func rename(_ new: (RowKey) -> RowKey) {
    places = Dictionary(places.map { (new($0.key), $0.value) }, uniquingKeysWith: min)
  }

  /// By ascending key. O(n log n).
  var byKey: [RowKey] { places.keys.sorted() }

  /// In the order in which they came. O(n log n).
  var byArrival: [RowKey] { places.sorted { $0.value < $1.value }.map(\.key) }
}
