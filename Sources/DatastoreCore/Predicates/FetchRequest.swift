/// Which objects of one entity, and in which order.
public struct FetchRequest: Sendable, Hashable, Codable {
  /// The name of the entity.
  public var entity: String
  /// Which objects; all of them without it.
  public var predicate: Predicate?
  /// Ties are broken by ascending key, so that an order is always total.
  public var sortDescriptors: [SortDescriptor]
  /// Objects left out at the start.
  public var offset: Int
  /// Most objects that are returned; 0 means no limit.
  public var limit: Int
  /// The stores that are asked, where several hold the entity; nil for all of them.
  package var stores: StoreSelection?

  /// A request; nothing is checked before it is used.
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

  /// The stores that are asked, where several of a datastore hold the entity; nil for all of them.
  public var affectedStores: [StoreDescription]? {
    get {
      if case .stores(let stores) = stores { stores } else { nil }
    }
    set { stores = newValue.map { .stores($0) } }
  }
}
