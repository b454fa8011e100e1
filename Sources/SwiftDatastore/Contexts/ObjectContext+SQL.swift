public import DatastoreCore

/// One row of the result of an SQL statement.
public struct SQLRow: Sendable, Hashable {
  /// The names of the columns, the same in every row of a result.
  public let columns: [String]
  /// The values, by column.
  public let values: [Value]

  /// The value of the first column with a name, or nil if there is none. O(columns).
  public subscript(name: String) -> Value? {
    columns.firstIndex(of: name).map { values[$0] }
  }

  /// The value of a column by its index. Traps if there is none.
  public subscript(index: Int) -> Value { values[index] }
}

/// SQL statements, for everything that queries cannot express. Pass values as arguments, one for each `?`
/// (PostgreSQL: `$1`, `$2` and so on), never as part of the text. Statements see saved data: unsaved changes
/// do not count.
extension ObjectContext {
  /// The rows of a statement that reads.
  ///
  /// - Throws: `StoreError`, also for statements that write.
  public func query(_ sql: String, arguments: [Value] = []) throws -> [SQLRow] {
    let answer = try core.telling { try core.readStore.answer(SQLQuestion(sql, arguments)) }
    return answer.rows.map { SQLRow(columns: answer.columns, values: $0) }
  }

  /// The objects whose keys are the first column of a statement's rows, in its order. Ignores keys without a
  /// row.
  ///
  /// ```swift
  /// let old: [Employee] = try context.fetch(
  ///   sql: "SELECT _id FROM Employee WHERE age > ? ORDER BY random()", arguments: [60])
  /// ```
  ///
  /// - Throws: `StoreError`, also for classes whose tables have no integer key, and for statements
  ///   that write.
  public func fetch<T: DatastoreObject>(
    _ type: T.Type = T.self, sql: String, arguments: [Value] = []
  ) throws -> [T] {
    try core.objects(of: core.entity(of: T.self), sql, arguments).compactMap { $0 as? T }
  }

  /// Fetches by entity name.
  ///
  /// - Throws: like `fetch(_:sql:arguments:)`.
  public func fetch(
    entityName: String, sql: String, arguments: [Value] = []
  ) throws -> [DynamicObject] {
    try core.objects(of: core.entity(named: entityName), sql, arguments)
      .compactMap { $0 as? DynamicObject }
  }

  /// Runs a statement that writes, in a transaction of its own. Since it may change anything, every context
  /// and controller of the datastore reads its objects again.
  ///
  /// - Returns: the number of rows that it has inserted, updated or deleted.
  /// - Throws: `StoreError`; nothing is written then.
  @discardableResult
  public func execute(_ sql: String, arguments: [Value] = []) throws -> Int {
    try core.telling {
      try core.batch { store in
        (.everything, try store.execute(sql, arguments, unless: nil).rows)
      }
    }
  }

  /// Runs a statement that writes, can be cancelled, and reports whether it changed the tables.
  ///
  /// - Parameter isCancelled: called again and again while the statement runs, on the context's queue.
  /// - Throws: `StoreError`, `SQLTextError` when the engine reports the position of a fault, and
  ///   `CancellationError` when it was cancelled; nothing is written then.
  package func execute(
    _ sql: String, unless isCancelled: @escaping @Sendable () -> Bool
  ) throws -> SQLExecution {
    try core.batch { store in
      (.everything, try store.execute(sql, [], unless: isCancelled))
    }
  }
}

extension ContextCore {
  /// Turns the errors of statements into the error type that programs know.
  fileprivate func telling<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as SQLTextError {
      throw StoreError.unsupportedPredicate(error.message)
    }
  }

  fileprivate func objects(
    of entity: Entity, _ sql: String, _ arguments: [Value]
  ) throws -> [ManagedObject] {
    guard coordinator.store.information(about: entity).hasRowids else {
      throw StoreError.unsupportedPredicate(
        "The rows of \(entity.name) have no integer key that SQL could give; use `query` instead.")
    }
    let rows = try telling {
      try readStore.answer(SQLQuestion(sql, arguments, of: entity.index)).rows
    }
    let keys = rows.compactMap { $0.first?.key }
    let objects = graph.objects(entity: entity.index, keys: keys)
    try graph.fulfil(objects)
    return objects.filter { $0.state != .gone && $0.entity.isKind(of: entity) }
  }
}
