#if PostgreSQL
import DatastoreCore
import DatastoreSQL

/// Finds the rows of a condition, or of an order, that the server cannot express with its meaning in memory:
/// regular expressions, words, patterns in columns, numbers beyond the server's range.
///
/// The server narrows the rows down with the parts that it can answer, and returns their keys. The rows are
/// then read, some thousands at a time, with the objects that the condition's paths lead to, and the
/// condition is decided as it is for unsaved objects. The caller gets the keys: the server answers the
/// question itself about those rows.
struct ResidualSearch {
  let transaction: PostgreSQLReadTransaction
  let entity: Entity
  let predicate: Predicate?
  /// The order in which rows are sorted here; empty if the server can do that.
  var order: [SortDescriptor] = []
  /// Whether parts that compute something, and parts that join tables on several machines, are decided in
  /// memory, since the server has failed at one.
  var isCareful = false

  private static let portion = 2_000

  /// The keys of all rows for which the condition holds: in the given order, or else ascending.
  ///
  /// O(rows that the server lets through), of which two thousand are in memory at a time, or all that are
  /// found if they are sorted here.
  ///
  /// - Throws: `StoreError` for a meaningless condition; the errors of reading; `CancellationError`.
  func keys() throws -> [RowKey] {
    do {
      try predicate?.validate(for: entity, in: transaction.schema)
    } catch {
      throw StoreError.unsupportedPredicate(error.description)
    }
    let candidates: [RowKey]
    do {
      candidates = try self.candidates(isCareful: isCareful)
    } catch let failure as PostgreSQLFailure
      where !isCareful
      && (failure.isOfComputing || transaction.store.isSpread && failure.isOfDistribution)
    {
      guard try transaction.beginAgain() else { throw failure }
      candidates = try self.candidates(isCareful: true)
    }
    let fault = Fault()
    let store = RowsOfTransaction(transaction)
    var keys: [RowKey] = []
    var found: [ManagedObject] = []
    var graphs: [ObjectGraph] = []
    for portion in candidates.portions(of: Self.portion) {
      try Task.checkCancellation()
      let graph = ObjectGraph(
        store: store, makeObject: { ManagedObject(managedObject: $0) },
        faultFailed: { fault.error = fault.error ?? $0 })
      let objects = graph.objects(
        entity: entity.index, pages: try store.rows(entity: entity.index, keys: Array(portion)))
      for path in paths { try graph.prefetch(path, from: objects) }
      var holding: [RowKey: ManagedObject] = [:]
      for object in objects where try holds(object) { holding[object.key] = object }
      if let error = fault.error { throw error }
      if order.isEmpty {
        keys += portion.filter { holding[$0] != nil }
      } else {
        found += holding.values
        graphs.append(graph)
      }
    }
    if order.isEmpty { return keys }
    found.sort { order.compare($0, $1) == .ascending }
    if let error = fault.error { throw error }
    return withExtendedLifetime(graphs) { found.map(\.key) }
  }

  private func holds(_ object: ManagedObject) throws -> Bool {
    do {
      return try predicate?.evaluate(with: object) ?? true
    } catch {
      throw StoreError.unsupportedPredicate(error.description)
    }
  }

  /// The error of a read while a condition was decided.
  private final class Fault {
    var error: (any Error)?
  }

  /// The keys that the server lets through, ascending.
  private func candidates(isCareful: Bool) throws -> [RowKey] {
    let builder = QueryBuilder(transaction.mapping)
    let narrowed = predicate?.narrowed { comparison in
      !(isCareful && isHard(comparison)) && isAnswered(comparison)
    }
    let request = FetchRequest(entity: entity.name, predicate: narrowed)
    return try transaction.keys(request, builder)
  }

  /// Whether the server may fail at a comparison that it can express.
  private func isHard(_ comparison: Predicate.Comparison) -> Bool {
    if comparison.isComputed(in: entity) { return true }
    guard transaction.store.isSpread else { return false }
    let schema = transaction.schema
    return Predicate.comparison(comparison).keyPaths.contains { path in
      let first = entity.resolvingAliases(in: path, of: schema).first
      return first.flatMap { entity.slot(named: $0) }.map { entity.links[$0] != nil } ?? false
    }
  }

  private func isAnswered(_ comparison: Predicate.Comparison) -> Bool {
    let request = FetchRequest(entity: entity.name, predicate: .comparison(comparison))
    let statement = try? PostgreSQLStatement(QueryBuilder(transaction.mapping).keys(request))
    return statement != nil
  }

  /// The relationships that the condition and the order follow, to be prefetched.
  private var paths: [[Slot]] {
    var paths: Set<[Slot]> = []
    let all = (predicate?.keyPaths ?? []) + order.flatMap(\.operand.keyPaths)
    for path in all {
      var current = entity
      var slots: [Slot] = []
      for name in entity.resolvingAliases(in: path, of: transaction.schema) {
        guard let slot = current.slot(named: name), let link = current.links[slot] else { break }
        slots.append(slot)
        current = transaction.schema.entities[link.destination]
      }
      if !slots.isEmpty { paths.insert(slots) }
    }
    return Array(paths)
  }
}

/// The rows that a transaction sees, for a graph that only reads.
///
/// Unchecked: only the graph of a search has it, on the thread that has the transaction.
private final class RowsOfTransaction: ObjectStore, @unchecked Sendable {
  private let transaction: PostgreSQLReadTransaction
  private var store: PostgreSQLStore { transaction.store }

  init(_ transaction: PostgreSQLReadTransaction) { self.transaction = transaction }

  var schema: Schema { transaction.schema }
  var identity: ObjectIdentifier { ObjectIdentifier(self) }

  func rows(entity: EntityIndex, keys: [RowKey]) throws -> [RowPage] {
    if keys.isEmpty { return [] }
    return try store.reading(schema.entities[entity]) {
      try store.rows(entity, keys, on: transaction.connection)
    }
  }

  func relatedKeys(entity: EntityIndex, slot: Slot, key: RowKey) throws -> [RowKey] {
    try store.relatedKeys(entity, slot, key, on: transaction.connection)
  }

  func relatedRows(entity: EntityIndex, slot: Slot, keys: [RowKey]) throws -> RelatedRowPages {
    try store.relatedRows(entity, slot, keys, on: transaction.connection)
  }

  func keyValues(entity: EntityIndex, key: RowKey) -> [Value]? {
    store.keyValues(entity: entity, key: key)
  }

  func fetch(_ request: FetchRequest) throws -> [RowPage] { throw Self.readsByKey }
  func fetchKeys(_ request: FetchRequest) throws -> [RowKey] { throw Self.readsByKey }
  func count(_ request: FetchRequest) throws -> Int { throw Self.readsByKey }
  func makeKey(entity: EntityIndex) throws -> RowKey { throw Self.readsByKey }
  func save(_ changes: ChangeSet) throws -> SaveResult { throw Self.readsByKey }

  private static let readsByKey = StoreError.unsupportedPredicate(
    "Rows whose condition is decided in memory are read by their keys only.")
}
#endif
