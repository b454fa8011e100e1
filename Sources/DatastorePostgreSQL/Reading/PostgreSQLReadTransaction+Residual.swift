#if PostgreSQL
import DatastoreCore
import DatastoreSQL

/// Questions about rows of a condition that the server cannot decide: they are asked again about the keys of
/// those rows.
extension PostgreSQLReadTransaction {
  /// Runs `body` with a builder of SQL; if the condition cannot be expressed in SQL, again with a builder
  /// that lists the rows instead.
  func asking<Result>(
    _ entity: Entity, _ predicate: Predicate?, _ body: (QueryBuilder) throws -> Result
  ) throws -> Result {
    do {
      return try body(QueryBuilder(mapping))
    } catch {
      return try asking(entity, predicate, after: error, body)
    }
  }

  /// Runs `body` with a builder that lists the rows.
  ///
  /// - Parameter error: the server's error about the condition.
  /// - Throws: `error`, if the condition is not the reason.
  func asking<Result>(
    _ entity: Entity, _ predicate: Predicate?, after error: any Error,
    _ body: (QueryBuilder) throws -> Result
  ) throws -> Result {
    guard let predicate, mapping.entities[entity.index].key != .wholeRow,
      let isCareful = try isUnanswered(error)
    else { throw error }
    let builder = QueryBuilder(mapping)
    builder.replacement = try replacement(of: predicate, entity, isCareful: isCareful)
    mark()
    return try body(builder)
  }

  /// A condition that lists the rows of one that the server cannot decide.
  ///
  /// - Parameter isCareful: whether parts that compute something are decided in memory, too.
  func replacement(
    of predicate: Predicate, _ entity: Entity, isCareful: Bool
  ) throws -> (predicate: Predicate, condition: (QueryScope) -> SQLFragment) {
    let search = ResidualSearch(
      transaction: self, entity: entity, predicate: predicate, isCareful: isCareful)
    return (predicate, condition(listing: try search.keys(), of: entity))
  }

  /// The keys of a request in its order, if the server cannot sort by that order.
  ///
  /// - Parameter error: the server's error.
  /// - Throws: `error`, if the order is not the reason.
  func sortedKeys(_ request: FetchRequest, after error: any Error) throws -> [RowKey] {
    let entity = try QueryBuilder(mapping).entity(named: request.entity)
    guard !request.sortDescriptors.isEmpty, mapping.entities[entity.index].key != .wholeRow,
      let isCareful = try isUnanswered(error)
    else { throw error }
    let search = ResidualSearch(
      transaction: self, entity: entity, predicate: request.predicate,
      order: request.sortDescriptors, isCareful: isCareful)
    let keys = try search.keys().dropFirst(request.offset)
    return Array(request.limit > 0 ? keys.prefix(request.limit) : keys)
  }

  /// Whether an error says that the server cannot answer by the rules of this library (false), or only by a
  /// number beyond its range or by a join of tables on several machines (true); nil for all other errors. The
  /// transaction can continue.
  ///
  /// - Throws: the error, if earlier answers would belong to another state.
  func isUnanswered(_ error: any Error) throws -> Bool? {
    if let error = error as? StoreError, error.isUnsupported { return false }
    guard let failure = error as? PostgreSQLFailure,
      failure.isOfComputing || store.isSpread && failure.isOfDistribution
    else { return nil }
    guard try beginAgain() else { throw error }
    return true
  }

  /// The condition that a row is in a list. The keys are one value for each of their columns, however many
  /// there are.
  private func condition(
    listing keys: [RowKey], of entity: Entity
  ) -> (QueryScope) -> SQLFragment {
    let lists = KeyParameters(mapping, entity.index).arrays(keys)
    return { [mapping] scope in
      let key = QueryBuilder(mapping).key(entity.index, scope.alias)
      return PostgreSQLDialect().isMember(key, ofColumns: lists)
    }
  }
}
extension PostgreSQLFailure {
  /// Whether a computed value is invalid for its type, or too large for it.
  var isOfComputing: Bool {
    ["22003", "22012", "22008", "22P02", "2201B", "2201E", "2201F", "2201G"].contains(code)
  }
}

extension StoreError {
  /// Whether it reports a condition that an engine cannot express in SQL.
  var isUnsupported: Bool {
    if case .unsupportedPredicate = self { true } else { false }
  }
}
#endif
