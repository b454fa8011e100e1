import Basics
import DatastoreCore
import DatastoreSQL
import GRDB

/// Relationships that a file of another program has without saying so.
extension SQLiteReadTransaction {
  /// Rows that are looked at from each end of a table.
  private static let rows = 5_000
  /// How many values of a hundred must be found, so that a relationship is offered.
  private static let leastFound = 80

  func answer(_ question: SuggestionsQuestion) throws -> [RelationshipSuggestion] {
    // Its model has all of them.
    if store.hasCoreDataModel { return [] }
    let tables = try store.referringTables(in: database)
    if tables.isEmpty { return [] }
    let annotations = store.reflected?.annotations ?? SchemaAnnotations()
    let names = RelationshipNames(tables)
    var found: [RelationshipSuggestion] = []
    for (index, table) in tables.enumerated() where table.mayRefer {
      let declared = Set(table.foreignKeys.flatMap(\.columns).map { $0.caselessKey })
      for column in table.columns where !declared.contains(column.name.caselessKey) {
        try Task.checkCancellation()
        if let (reference, decision) = annotations.relationship(of: column.name, in: table.name) {
          if let target = tables.first(where: { $0.name.isExactly(reference.table) }) {
            let suggestion = try weigh(
              column, of: table, reference, target, decision: decision)
            if let suggestion { found.append(suggestion) }
          }
          continue
        }
        guard column.name != table.rowidColumn, !column.isGenerated else { continue }
        for guess in names.guesses(for: column.name, in: index) {
          let target = tables[guess.table]
          guard let key = target.key(for: column.name, guess.key),
            target.name != table.name || key != column.name
          else { continue }
          let reference = SchemaAnnotations.Reference(table: target.name, column: key)
          let suggestion = try weigh(column, of: table, reference, target)
          guard let suggestion, suggestion.valueCount > 0,
            suggestion.foundCount * 100 >= suggestion.valueCount * Self.leastFound
          else { continue }
          found.append(suggestion)
          break
        }
      }
    }
    return found
  }

  /// Counts the values of a column that are found where they may lead to; nil where that cannot be done.
  private func weigh(
    _ column: FileTable.Column, of table: FileTable, _ reference: SchemaAnnotations.Reference,
    _ target: FileTable, decision: SchemaAnnotations.Decision? = nil
  ) throws -> RelationshipSuggestion? {
    guard let key = target.column(reference.column), target.isUnique([key.name]) else { return nil }
    let select: SQLFragment = "SELECT \(name: column.name) AS value FROM \(name: table.name)"
    let limit: SQLFragment = " LIMIT \(number: Self.rows)"
    var rows: SQLFragment = "SELECT * FROM (\(select + limit))"
    var most = Self.rows
    if case .rowid(let rowid) = table.key {
      // Those of the last rows that the first ones do not have.
      rows = """
        \(rows) UNION ALL SELECT * FROM (\(select) WHERE \(name: rowid) > \
        coalesce((SELECT \(name: rowid) FROM \(name: table.name) ORDER BY \(name: rowid) \
        LIMIT 1 OFFSET \(number: Self.rows - 1)), 9223372036854775807) \
        ORDER BY \(name: rowid) DESC\(limit))
        """
      most *= 2
    }
    let statement = try RawStatement(
      """
      SELECT count(*), count(value), total(value IS NOT NULL AND EXISTS \
      (SELECT 1 FROM \(name: target.name) AS target WHERE target.\(name: key.name) = value)) \
      FROM (\(rows))
      """, in: database)
    guard try statement.step() else { return nil }
    return RelationshipSuggestion(
      table: table.name, column: column.name, reference: reference,
      valueCount: statement.value(at: 1).wholeNumber,
      foundCount: Int(statement.value(at: 2).number ?? 0),
      isComplete: statement.value(at: 0).wholeNumber < most, decision: decision)
  }
}

extension SQLiteStore {
  /// The tables whose columns may refer to rows, and be referred to: of a file of ours, without the numbers of rows
  /// that nothing in it says.
  func referringTables(in database: Database) throws -> [FileTable] {
    let tables = try reflected?.tables ?? FileTable.all(in: database)
    let keys = Dictionary(
      schema.entities.compactMap { entity in
        let mapped = mapping.entities[entity.index]
        return mapped.hiddenKey.map { (mapped.table.caselessKey, $0) }
      }, uniquingKeysWith: { first, _ in first })
    let known = Set(mapping.entities.map { $0.table.caselessKey })
    return tables.filter { known.contains($0.name.caselessKey) }.map { table in
      guard let key = keys[table.name.caselessKey] else { return table }
      var table = table
      table.columns.removeAll { $0.name == key }
      return table
    }
  }
}

extension FileTable {
  /// Whether its columns may refer to rows elsewhere, and are read without waiting for what someone computes.
  fileprivate var mayRefer: Bool { kind == .table && key != .wholeRow && unreadableReason == nil }

  /// The column by which another one refers to this table: the unique one of the same name, the one that its
  /// name ends with, or the primary key.
  fileprivate func key(for column: String, _ ending: String) -> String? {
    let named = [column, ending].compactMap { $0.isEmpty ? nil : self.column($0) }
    if let own = named.first(where: { isUnique([$0.name]) }) { return own.name }
    return primaryKey.count == 1 ? primaryKey[0] : nil
  }
}
