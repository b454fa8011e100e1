import DatastoreCore
import DatastoreTestSupport
import Foundation

/// The expected rows of a table that two processes write: the model of `TwoProcessTests`.
///
/// A row is identified by its name, which never changes and which no two rows ever share.
struct SharedTable {
  struct Row: Hashable {
    var id: String
    var values: [String]
  }

  /// A kind of key.
  struct Kind: Sendable {
    let declaration: String
    var isText = false

    /// Whether rows are known by nothing but their row numbers.
    var isKeyless: Bool {
      declaration.hasPrefix("(id INT,") || declaration.hasPrefix("(id INT UNIQUE")
    }
  }

  static let columns = ["n", "note", "mark"]
  static let kinds = [
    Kind(declaration: "(id INTEGER PRIMARY KEY, %)"),
    Kind(declaration: "(id INTEGER PRIMARY KEY AUTOINCREMENT, %)"),
    Kind(declaration: "(id INT, %)"),
    Kind(declaration: "(id TEXT PRIMARY KEY, %)", isText: true),
    Kind(declaration: "(id TEXT, %, PRIMARY KEY (id, mark))", isText: true),
    Kind(declaration: "(id TEXT PRIMARY KEY, %) WITHOUT ROWID", isText: true),
    Kind(declaration: "(id INTEGER, %, PRIMARY KEY (id, name)) WITHOUT ROWID"),
    Kind(declaration: "(id INTEGER PRIMARY KEY, %) STRICT"),
    Kind(declaration: "(id INT, %) STRICT"),
    Kind(declaration: "(id INT UNIQUE, %)"),
  ]

  /// By name.
  var rows: [String: Row] = [:]
  private(set) var lastNumber = 0

  var names: [String] { rows.keys.sorted() }

  mutating func makeNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  /// Values that no other row has.
  mutating func makeValues() -> [String] {
    let number = makeNumber()
    return ["\(number)", "note \(number)", "\(number * 1_000)"]
  }

  /// The lines that the other process reads.
  var lines: [String] {
    names.map { name in ([name] + (rows[name]?.values ?? [])).joined(separator: "|") }
  }

  static let query = "SELECT name, n, note, mark FROM t ORDER BY name;"
}
