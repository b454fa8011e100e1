#if PostgreSQL
import Basics
import DatastoreCore
import DatastoreSQL
import Foundation

/// Keys as the parameters of a statement: an integer is one, and a key of columns has one for each of them.
struct KeyParameters {
  private let table: KeyTable?
  /// The types of the key's columns, as far as they are known.
  private let parts: [SQLType?]

  init(_ mapping: SchemaMapping, _ entity: EntityIndex) {
    let mapped = mapping.entities[entity]
    switch mapped.key {
    case .rowid:
      table = nil
      parts = []
    case .columns(let names):
      table = mapping.keyTables[entity]
      parts = names.map { mapped.type(ofColumn: $0) }
    case .wholeRow:
      table = mapping.keyTables[entity]
      parts = mapped.allColumns.map { mapped.type(ofColumn: $0) }
    }
  }

  /// The parameters that stand for one key; nil for a key of an object that was never saved.
  func one(_ key: RowKey) -> [PostgreSQLParameter]? {
    guard let table else { return [.int8(key.rawValue)] }
    guard let values = table.values(of: key) else { return nil }
    return zip(values, parts).map { value, type in
      Self.written(value, type).map { PostgreSQLParameter(written: $0) } ?? .null(.unknown)
    }
  }

  /// The parameters that stand for a list: an array for each column.
  func list(_ keys: [RowKey]) -> [PostgreSQLParameter] {
    guard table != nil else { return [.int8Array(keys.lazy.map(\.rawValue))] }
    return arrays(keys).map { PostgreSQLParameter(written: $0) }
  }

  /// The arrays for a list in PostgreSQL's array syntax.
  func arrays(_ keys: [RowKey]) -> [String] {
    guard let table else {
      return ["{\(keys.map { String($0.rawValue) }.joined(separator: ","))}"]
    }
    let rows = keys.compactMap { table.values(of: $0) }
    return parts.indices.map { index in
      Quoting.postgreSQLArray(rows.lazy.map { Self.written($0[index], parts[index]) })
    }
  }

  /// A value in PostgreSQL's syntax; nil for NULL.
  private static func written(_ value: Value, _ type: SQLType?) -> String? {
    switch value {
    case .null: nil
    case .integer(let integer):
      type?.kind == .boolean ? (integer == 0 ? "false" : "true") : String(integer)
    case .real(let real):
      type?.kind == .instant || type?.kind == .localTime
        ? ServerTime(secondsSince2001: real)?.written : String(real)
    case .text(let text): text
    case .blob(let data):
      if type?.kind == .uuid, let uuid = UUID(bytes: data) {
        uuid.uuidString
      } else {
        "\\x" + data.map { String(format: "%02x", $0) }.joined()
      }
    }
  }
}

extension ServerTime {
  /// In PostgreSQL's syntax, to the microsecond.
  fileprivate var written: String {
    switch self {
    case .infinity: return "infinity"
    case .negativeInfinity: return "-infinity"
    default:
      let day: Int64 = 86_400_000_000
      let days = (microseconds - (microseconds % day + day) % day) / day
      let rest = microseconds - days * day
      let (second, fraction) = (rest / 1_000_000, rest % 1_000_000)
      // Days by their Julian number: that of the beginning of 2000 is 2,451,545.
      return
        "J\(2_451_545 + days) \(second / 3600):\(second / 60 % 60):\(second % 60)."
        + String(1_000_000 + fraction).dropFirst() + "+00"
    }
  }
}

extension EntityMapping {
  /// The type of a column, as far as a property says it.
  func type(ofColumn name: String) -> SQLType? {
    for slot in slots {
      switch slot {
      case .attribute(let column) where column.name.isExactly(name): return column.type
      case .toOne(let foreign):
        if let column = foreign.columns.first(where: { $0.name.isExactly(name) }) {
          return column.type
        }
      default: continue
      }
    }
    return nil
  }
}
#endif
