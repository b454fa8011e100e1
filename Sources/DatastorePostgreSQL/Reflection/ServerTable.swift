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
    /// As it is declared, with its length or precision.
    package let declaredType: String
    /// The type without those.
    let typeName: String
    /// What it is made of: for a domain, the type below all domains.
    let type: PostgreSQLType
    /// What the type is, as `pg_type.typtype` says: `b`, `e` for an enum, `c`, `r`.
    let typeClass: String
    package let isNotNull: Bool
    /// Whether the server counts up its values: `a` always, `d` by default; else empty.
    let identity: String
    package let isGenerated: Bool
    package let defaultText: String?
    /// The labels of an enum in its order.
    package var labels: [String]?
  }

  /// What it is, as `pg_class.relkind` says.
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
  /// What its entity is called: with its schema where others have the same name.
  package var name: String
  package let relation: Relation
  /// How many rows it has, about; nil where it was never analysed.
  package let estimatedRowCount: Int?
  let isReadable: Bool
  var isUpdatable: Bool
  /// Whether something else may happen when its rows are written.
  let hasTriggers: Bool
  /// Whether its rows are on several machines, as Citus does it.
  let isDistributed: Bool
  let definition: String?
  package var columns: [Column] = []
  package var indexes: [DescribedIndex] = []
  package var foreignKeys: [DescribedReference] = []
  package var primaryKey: [String] = []
  /// What is in the brackets of its checks, brackets included.
  package var checks: [String] = []
  /// The columns of its constraints and unique indexes, by their names.
  var constraints: [String: [String]] = [:]

  /// Whether the server refuses values that it was to count up itself, unless it is told otherwise.
  var isAlwaysCounted: Bool { columns.contains { $0.identity == "a" } }

  /// What a column gets that is left out, as an expression that also counts up its sequence.
  func defaultExpression(of name: String) -> String? {
    guard let column = columns.first(where: { $0.name.isExactly(name) }) else { return nil }
    if column.identity.isEmpty { return column.isGenerated ? nil : column.defaultText }
    let table = Quoting.sqlText(Quoting.sqlName(schema, storedName))
    return "nextval(pg_get_serial_sequence(\(table), \(Quoting.sqlText(name))))"
  }

  func columns(numbered numbers: [Int64]) -> [Column]? {
    let found = numbers.compactMap { number in columns.first { $0.number == number } }
    return found.count == numbers.count ? found : nil
  }
}
#endif
