#if PostgreSQL
import Basics
import DatastoreCore
package import DatastoreSQL

/// One table or view as a PostgreSQL database declares it. Partitions are shown by the table they are parts
/// of.
package struct ServerTable: Sendable, Hashable {
  package struct Column: Sendable, Hashable {
    package let number: Int64
    package let name: String
    /// The declared type, with its length or precision.
    package let declaredType: String
    /// The type without length or precision.
    let typeName: String
    /// The underlying type: for a domain, the type below all domains.
    let type: PostgreSQLType
    package let isNotNull: Bool
    /// Whether the server generates its values: `a` always, `d` by default; else empty.
    let identity: String
    package let isGenerated: Bool
    package let defaultText: String?
    /// The labels of an enum in its order.
    package var labels: [String]?
  }

  /// The kind of relation, as in `pg_class.relkind`.
  package enum Relation: String, Sendable {
    case table = "r"
    case partitioned = "p"
    case view = "v"
    case materializedView = "m"
    case foreign = "f"
  }

  let number: Int64
  package let schema: String
  package let storedName: String
  /// The name of its entity: with its schema if other schemas have the same name.
  package var name: String
  package let relation: Relation
  /// The estimated number of rows; nil if it was never analysed.
  package let estimatedRowCount: Int?
  let isReadable: Bool
  var isUpdatable: Bool
  /// Whether writing its rows may have other effects.
  let hasTriggers: Bool
  /// Whether its rows are on several machines, as with Citus.
  let isDistributed: Bool
  let definition: String?
  package var columns: [Column] = []
  package var indexes: [DescribedIndex] = []
  package var foreignKeys: [DescribedReference] = []
  package var primaryKey: [String] = []
  /// The conditions of its checks, brackets included.
  package var checks: [String] = []
  /// The columns of its constraints and unique indexes, by the names of these.
  var constraints: [String: [String]] = [:]

  /// Whether the server refuses explicit values for a generated column unless they are forced.
  var isAlwaysCounted: Bool { columns.contains { $0.identity == "a" } }

  /// The value of a column that is left out, as an expression that also advances its sequence.
  func defaultExpression(of name: String) -> String? {
    guard let column = columns.first(where: { $0.name.isExactly(name) }) else { return nil }
    if column.identity.isEmpty { return column.isGenerated ? nil : column.defaultText }
    let table = Quoting.sqlText(Quoting.sqlName(schema, storedName))
    // The server looks for the sequence once in a statement, not for each number, because of the SELECT.
    return
      "nextval((SELECT pg_get_serial_sequence(\(table), \(Quoting.sqlText(name))))::regclass)"
  }

  func columns(numbered numbers: [Int64]) -> [Column]? {
    let found = numbers.compactMap { number in columns.first { $0.number == number } }
    return found.count == numbers.count ? found : nil
  }
}
#endif
