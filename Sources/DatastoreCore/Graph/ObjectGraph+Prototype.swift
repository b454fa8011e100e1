import Basics

/// A graph without a store, in which a model class is initialised once for inspection.
extension ObjectGraph {
  /// A graph with a single entity of the given name, without properties.
  package static func prototype(entityName: String) -> ObjectGraph {
    let graph = ObjectGraph(
      store: EmptyStore(entityName: entityName), makeObject: { ManagedObject(managedObject: $0) },
      faultFailed: { _ in })
    // It has no values, and no storage for any.
    graph.isAccessAllowed = { false }
    return graph
  }

  var isPrototype: Bool { store is EmptyStore }

  /// The argument for the initialiser of a prototype.
  package var prototypeLogic: ManagedObjectLogic {
    ManagedObjectLogic(
      home: ObjectHome(graph: self, entity: schema.entities[0]), key: 0, page: nil, row: 0,
      state: .gone)
  }

  /// Identifies the store of this graph among all stores of the process.
  package var storeID: ObjectIdentifier { store.identity }
}

/// An empty store, for prototypes.
private final class EmptyStore: ObjectStore {
  let schema: Schema

  init(entityName: String) {
    do {
      schema = try Schema([
        EntityDescription(name: entityName.isEmpty ? "?" : entityName, properties: [])
      ])
    } catch {
      trap("one entity without properties is a valid schema")
    }
  }

  func rows(entity: EntityIndex, keys: [RowKey]) -> [RowPage] { [] }
  func relatedKeys(entity: EntityIndex, slot: Slot, key: RowKey) -> [RowKey] { [] }
  func fetch(_ request: FetchRequest) -> [RowPage] { [] }
  func fetchKeys(_ request: FetchRequest) -> [RowKey] { [] }
  func count(_ request: FetchRequest) -> Int { 0 }
  func makeKey(entity: EntityIndex) -> RowKey { 0 }
  func save(_ changes: ChangeSet) -> SaveResult { SaveResult() }
}
