#if PostgreSQL
import Basics
import DatastoreCore
import DatastoreSQL

/// The columns by which a save identifies the rows of a table: one integer, or the columns of the table's
/// key.
///
/// A statement has an array for each of them, named `k0`, `k1` …
struct SaveKey {
  private(set) var columns: [(name: String, form: ServerForm)]
  /// The values that the keys stand for; nil if they are the values of the column.
  private let table: KeyTable?

  init(_ mapping: SchemaMapping, _ entity: EntityIndex) {
    let mapped = mapping.entities[entity]
    switch mapped.key {
    case .rowid(let name):
      columns = [(name, .key)]
      table = nil
    case .columns(let names):
      columns = names.map { ($0, ServerForm(mapped.type(ofColumn: $0))) }
      table = mapping.keyTables[entity]
    case .wholeRow: trap("rows without a key are not written")
    }
  }

  /// `k0, k1 …`.
  var names: SQLFragment { names("k") }

  func names(_ letter: String) -> SQLFragment {
    SQLFragment(stringLiteral: columns.indices.map { "\(letter)\($0)" }.joined(separator: ", "))
  }

  /// The values of the columns, of a row of arrays with the name `alias`.
  func values(of alias: String, _ letter: String = "k") -> [SQLFragment] {
    columns.indices.map { index in
      columns[index].form.value(SQLFragment(stringLiteral: "\(alias).\(letter)\(index)"))
    }
  }

  /// The condition that a row is the one in the arrays.
  func isRow(_ row: String, of alias: String, _ letter: String = "k") -> SQLFragment {
    zip(columns, values(of: alias, letter)).map { column, value in
      "\(SQLFragment(stringLiteral: row)).\(name: column.name) = \(value)" as SQLFragment
    }.joined(by: " AND ")
  }

  /// The condition that a row is one of those in the arrays, which are the first parameters.
  func isListed(_ row: String) -> SQLFragment {
    let row = SQLFragment(stringLiteral: row)
    if columns.count == 1, !isOfArrays {
      let type = columns[0].form.cast.map { "\($0)[]" as SQLFragment } ?? ""
      return "\(row).\(name: columns[0].name) = ANY($1\(type))"
    }
    let own = columns.map { "\(row).\(name: $0.name)" as SQLFragment }
    let numbers = (1...columns.count).map { "$\($0)" }.joined(separator: ", ")
    return """
      (\(own.joined(by: ", "))) IN (SELECT \(values(of: "listed").joined(by: ", ")) \
      FROM unnest(\(SQLFragment(stringLiteral: numbers))) AS listed (\(names)))
      """
  }

  /// Whether a column has arrays, which `ANY` of an array of arrays would compare element by element.
  private var isOfArrays: Bool { columns.contains { $0.form.isArray } }

  /// `isListed` after `isRow`: redundant, but lets partitions and shards skip rows that they do not have.
  func andIsListed(_ row: String) -> SQLFragment {
    columns.count == 1 && !isOfArrays ? " AND \(isListed(row))" : ""
  }

  func makeArrays(capacity: Int = 0) -> [PostgreSQLArray] {
    columns.map { $0.form.makeArray(capacity: capacity) }
  }

  /// Appends a key, an element to each array.
  ///
  /// - Throws: `Unstorable` for a key of an object that is not saved.
  func append(_ key: RowKey, to arrays: inout [PostgreSQLArray]) throws(Unstorable) {
    guard let table else { return arrays[0].append(key.rawValue) }
    guard let values = table.values(of: key) else {
      throw Unstorable(detail: "is not saved, and has no key yet")
    }
    for (index, column) in columns.enumerated() {
      _ = try column.form.append(values[index], to: &arrays[index])
    }
  }
}
#endif
