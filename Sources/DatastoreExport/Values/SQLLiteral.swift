import Basics
package import DatastoreCore

/// Values as SQLite's SQL writes them, so that it reads the same ones.
package enum SQLLiteral {
  package static func text(_ value: Value) -> String {
    switch value {
    case .null: return "NULL"
    case .integer(.min): return "(-9223372036854775807 - 1)"
    case .integer(let integer): return String(integer)
    case .real(let real):
      if real.isInfinite { return real < 0 ? "-9e999" : "9e999" }
      if real == 0 || SQLiteDigits.areExact(real.description) { return real.description }
      return "(\(SQLiteDigits.product(real)))"
    case .text(var text):
      var bytes: [UInt8] = []
      text.withStoredUTF8 { bytes = Array($0) }
      let isPlain =
        !bytes.contains { $0 < 0x20 || $0 == 0x7F }
        && String(validating: bytes, as: UTF8.self) != nil
      if isPlain {
        return Quoting.sqlText(text)
      }
      return "CAST(X'\(Hexadecimal.text(bytes))' AS TEXT)"
    case .blob(let data): return "X'\(Hexadecimal.text(data))'"
    }
  }
}
