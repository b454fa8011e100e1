/// A request for objects of one entity, with a condition and an order.
public struct FetchRequest: Sendable, Hashable, Codable {
  /// The name of the entity.
  public var entity: String
  /// The condition; nil for all objects.
  public var predicate: Predicate?
  /// The order. Ties are broken by ascending key, so an order is always total.
  public var sortDescriptors: [SortDescriptor]
  /// The number of objects to skip.
  public var offset: Int
  /// The greatest number of objects; 0 means no limit.
  public var limit: Int
  /// The stores to read, if several hold the entity; nil for all of them.
  package var stores: StoreSelection?

  /// Creates a request; nothing is checked before it is used.
  public init(
    entity: String, predicate: Predicate? = nil, sortDescriptors: [SortDescriptor] = [],
    offset: Int = 0, limit: Int = 0
  ) {
    self.entity = entity
    self.predicate = predicate
    self.sortDescriptors = sortDescriptors
    self.offset = offset
    self.limit = limit
  }

  /// The stores to read, if several stores of a datastore hold the entity; nil for all of them.
  public var affectedStores: [StoreDescription]? {
    get {
      if case .stores(let stores) = stores { stores } else { nil }
    }
    set { stores = newValue.map { .stores($0) } }
  }
}
