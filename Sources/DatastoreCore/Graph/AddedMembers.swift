/// The members added to a to-many relationship since the last save, with their order.
///
/// Finding, adding and removing one is O(1), because a relationship may gain many at once.
struct AddedMembers {
  /// Arrival numbers, which count up, by key.
  private var places: [RowKey: Int] = [:]
  private var lastPlace = 0

  var isEmpty: Bool { places.isEmpty }
  var count: Int { places.count }

  func contains(_ key: RowKey) -> Bool { places[key] != nil }

  /// Adds a member after the others; one that is already there keeps its place.
  mutating func insert(_ key: RowKey) {
    guard places[key] == nil else { return }
    lastPlace += 1
    places[key] = lastPlace
  }

  /// - Returns: whether it was there.
  @discardableResult
  mutating func remove(_ key: RowKey) -> Bool { places.removeValue(forKey: key) != nil }

  /// Replaces the keys of members; their order is kept.
  mutating func rename(_ new: (RowKey) -> RowKey) {
    places = Dictionary(places.map { (new($0.key), $0.value) }, uniquingKeysWith: min)
  }

  /// By ascending key. O(n log n).
  var byKey: [RowKey] { places.keys.sorted() }

  /// In the order of their arrival. O(n log n).
  var byArrival: [RowKey] { places.sorted { $0.value < $1.value }.map(\.key) }
}
