import Basics
import DatastoreCore
import DatastoreSQL
import GRDB

/// What of a table is kept and compared: what distinguishes its rows, and what they store beside it.
struct ComparedColumns: Hashable, Sendable {
  let table: String
  /// The names that reach the key.
  let key: [String]
  /// What is stored beside the key.
  var stored: [String]
  /// What the file computes of it.
  private let computed: [String]
  private let hasRowids: Bool

  /// nil for a table whose rows nothing distinguishes.
  init?(_ table: FileTable) {
    switch table.key {
    case .rowid(let name): (key, hasRowids) = ([name], true)
    case .columns(let names): (key, hasRowids) = (names, false)
    case .wholeRow: return nil
    }
    let isKey = Set(key.map { $0.caselessKey })
    self.table = table.name
    let others = table.columns.filter { !isKey.contains($0.name.caselessKey) }
    stored = others.filter { !$0.isGenerated }.map(\.name)
    computed = others.filter(\.isGenerated).map(\.name)
  }

  /// A table that takes their rows. Its columns have no types, so that values stay what they are; what the file
  /// computes is NULL there.
  var declaration: SQLFragment {
    let columns = (stored + computed).map { "\(name: $0)" as SQLFragment }
    if hasRowids {
      let all = ["\(name: key[0]) INTEGER PRIMARY KEY"] + columns
      return "CREATE TABLE \(name: table) (\(all.joined(by: ", ")))"
    }
    let names = key.map { "\(name: $0)" as SQLFragment }
    let all = names + columns + ["PRIMARY KEY (\(names.joined(by: ", ")))"]
    return "CREATE TABLE \(name: table) (\(all.joined(by: ", "))) WITHOUT ROWID"
  }

  /// Every column that statements may ask for.
  var all: [String] { key + stored + computed }

  /// The key and what is stored beside it.
  private var names: SQLFragment {
    (key + stored).map { "\(name: $0)" as SQLFragment }.joined(by: ", ")
  }

  /// Every row.
  var rows: SQLFragment { "SELECT \(names) FROM \(name: table)" }

  /// The row of the key that is bound.
  var row: SQLFragment { "\(rows)\(isRow)" }

  /// Writes a row.
  var insertion: SQLFragment {
    let places = (1...(key.count + stored.count)).map { "\(parameter: $0)" as SQLFragment }
    return "INSERT INTO \(name: table) (\(names)) VALUES (\(places.joined(by: ", ")))"
  }

  /// Some columns of the row of the key that is bound.
  func values(of columns: [String]) -> SQLFragment {
    let names = columns.map { "\(name: $0)" as SQLFragment }
    return "SELECT \(names.joined(by: ", ")) FROM \(name: table)\(isRow)"
  }

  private var isRow: SQLFragment {
    let terms = key.enumerated().map { "\(name: $1) = \(parameter: $0 + 1)" as SQLFragment }
    return " WHERE \(terms.joined(by: " AND "))"
  }
}
