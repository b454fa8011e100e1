package import DatastoreCore
package import DatastoreSQL

/// SQLite's SQL where engines differ.
///
/// Some of it uses functions of this library (`datastore_…`), which all its connections have
/// (`SQLFunctions`).
package struct SQLiteDialect: SQLDialect {
  package init() {}

  /// If there is no column with a name in double quotes, because another program has renamed it meanwhile,
  /// SQLite takes the name for a text (<https://www.sqlite.org/quirks.html#dblquote>).
  package var nameQuote: Unicode.Scalar { "`" }

  /// The file keeps declarations verbatim, for every tool that reads it.
  package var declaredNameQuote: Unicode.Scalar { "\"" }

  package var numbersBindings: Bool { false }

  package func placeholder(ofBinding number: Int, _ value: Value) -> String { "?" }

  package func placeholder(ofParameter number: Int) -> String { "?\(number)" }

  package func limit(_ limit: Int?, offset: Int) -> SQLFragment {
    if limit == nil, offset == 0 { return "" }
    let count: SQLFragment = " LIMIT \(.integer(Int64(limit ?? -1)))"
    return offset == 0 ? count : count + " OFFSET \(.integer(Int64(offset)))"
  }

  /// <https://www.sqlite.org/optoverview.html#crossjoin>
  package var orderedJoin: SQLFragment { " CROSS JOIN " }

  package var plainJoin: SQLFragment { " JOIN " }

  package func operand(_ column: SQLFragment) -> SQLFragment { column }

  package func table(of query: SQLFragment) -> SQLFragment { "(\(query))" }

  package func selected(_ column: SQLFragment) -> SQLFragment { column }

  package func groupValue(_ value: SQLFragment) -> SQLFragment { value }

  /// A column with an explicit collation is an expression, which is computed for each row, and which no index
  /// has.
  package func groupKey(_ value: SQLFragment, isBinary: Bool) -> SQLFragment {
    isBinary ? value : binary(value)
  }
}

// Keys.
extension SQLiteDialect {
  package var keyBudget: UInt64 { SQLiteMemory.budget / 2 }

  /// The keys as a JSON array.
  package func keyList(_ keys: [Int64]) -> Value { .text(keys.jsonText) }

  package func isMember(_ key: SQLFragment, of keyList: SQLFragment) -> SQLFragment {
    "\(key) IN (SELECT value FROM json_each(\(keyList)))"
  }

  package func internedKey(_ entity: EntityIndex, _ values: [SQLFragment]) -> SQLFragment {
    "datastore_key(\(number: entity.rawValue), \(values.joined(by: ", ")))"
  }

  package func keyValue(_ entity: EntityIndex, _ key: SQLFragment, _ index: Int) -> SQLFragment {
    "datastore_key_value(\(number: entity.rawValue), \(key), \(number: index))"
  }

  package func danglingKey(_ values: [SQLFragment]) -> SQLFragment {
    "datastore_dangling(\(values.joined(by: ", ")))"
  }

  package func danglingValue(_ key: SQLFragment, _ index: Int) -> SQLFragment {
    "datastore_dangling_value(\(key), \(number: index))"
  }

  package func reference(inAnyColumn column: SQLFragment) -> SQLFragment {
    """
    CASE typeof(\(column)) WHEN 'integer' THEN \(column) WHEN 'null' THEN NULL \
    ELSE \(danglingKey([column])) END
    """
  }
}

extension SQLFragment {
  /// Text with `?` for each value, and the values in order.
  package var rendered: (text: String, bindings: [Value]) { rendered(in: SQLiteDialect()) }
}

extension [Int64] {
  /// The numbers in the form of SQLite's `json_each`.
  var jsonText: String { SQLiteDialect.jsonText(self) { $0 } }
}

extension [RowKey] {
  /// The keys in the form of SQLite's `json_each`.
  var jsonText: String { SQLiteDialect.jsonText(self) { $0.rawValue } }
}

extension SQLiteDialect {
  /// Written digit by digit: joining the texts of the numbers took a sixth of the time of reading their rows.
  @inline(__always)
  fileprivate static func jsonText<Number>(
    _ numbers: [Number], _ integer: (Number) -> Int64
  ) -> String {
    // The least integer has 20 characters.
    String(unsafeUninitializedCapacity: 2 + 21 * numbers.count) { bytes in
      bytes[0] = UInt8(ascii: "[")
      var end = 1
      for number in numbers {
        if end > 1 {
          bytes[end] = UInt8(ascii: ",")
          end += 1
        }
        let integer = integer(number)
        if integer < 0 {
          bytes[end] = UInt8(ascii: "-")
          end += 1
        }
        var rest = integer.magnitude
        let first = end
        repeat {
          bytes[end] = UInt8(ascii: "0") + UInt8(rest % 10)
          rest /= 10
          end += 1
        } while rest > 0
        bytes[first..<end].reverse()
      }
      bytes[end] = UInt8(ascii: "]")
      return end + 1
    }
  }
}

// GRDB has types with these names, too. In this module they refer to those of a mapping.

package typealias Column = DatastoreSQL.Column
package typealias ForeignKey = DatastoreSQL.ForeignKey
