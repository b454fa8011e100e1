#if PostgreSQL
package import DatastoreCore
import DatastoreSQL

/// Finding rows by the values of an attribute.
extension PostgreSQLRowTransaction {
  /// The stored rows that hold the values, value by value. The server says which row belongs to which
  /// value: a stored value may differ from the given one in its digits.
  func stored(_ values: [Value], _ entity: Entity, _ slot: Slot) throws -> [HeldRow?] {
    var places = [HeldRow?](repeating: nil, count: values.count)
    guard let column = ServerColumn(transaction.mapping, entity.index, slot), !values.isEmpty else {
      return places
    }
    let page = RowPage(columnCount: slot.rawValue + 1, rowCapacity: values.count)
    for value in values { page.setValue(value, row: page.appendRow(key: 0), slot: slot) }
    page.seal()
    var array = column.form.makeArray(capacity: values.count)
    for row in values.indices {
      do {
        _ = try column.append(page, row, to: &array)
      } catch {
        throw StoreError.refused(
          entity: entity.name, key: nil,
          detail: "its “\(entity.properties[slot].name)” \(error.detail)")
      }
    }
    let builder = QueryBuilder(transaction.mapping)
    let scope = builder.makeScope(entity.index)
    let key = builder.key(entity.index, scope.alias)
    let holds = builder.column(scope.alias, column.name)
    let given = column.form.value("given.value")
    // After the columns of the row, so that the reader finds those in their places.
    let result = try transaction.run(
      """
      SELECT DISTINCT ON (given.place) \(builder.rowColumns(entity.index, scope.alias)), given.place, \
      count(*) OVER (PARTITION BY given.place) \
      FROM unnest(\(parameter: 1)) WITH ORDINALITY AS given (value, place) \
      JOIN \(builder.table(entity.index, scope.alias)) ON \(holds) = \(given) \
      WHERE TRUE\(builder.andIsMember(scope)) \
      ORDER BY given.place, \(key)
      """, [array.parameter], of: entity.index, isKept: true)
    var reader = ServerRowReader(transaction.mapping, entity: entity.index)
    var pages = reader.makePages(expecting: result.rowCount)
    try reader.read(result, into: &pages)
    var row = 0
    for page in pages.finish() {
      for index in 0..<page.rowCount {
        if let place = result.integer(row, result.columnCount - 2),
          let count = result.integer(row, result.columnCount - 1)
        {
          places[Int(place) - 1] = HeldRow(RowReference(page, index), count: Int(count))
        }
        row += 1
      }
    }
    return places
  }
}

extension PostgreSQLStore {
  package func writeRows(
    entity: EntityIndex, key slot: Slot?, _ body: (any RowTransaction) throws -> Void
  ) throws -> (MergedKeys, Int) {
    try requireWritable()
    try schema.requireWritable(entity)
    return try writeTransaction(isRepeatable: false) { transaction in
      let rows = PostgreSQLRowTransaction(transaction, entity, key: slot)
      defer { rows.giveBackKeys() }
      try body(rows)
      return try rows.end()
    }
  }
}
#endif
