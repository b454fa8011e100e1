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
        let quoted = bytes.flatMap { $0 == UInt8(ascii: "'") ? [$0, $0] : [$0] }
        return "'" + String(decoding: quoted, as: UTF8.self) + "'"
      }
      return "CAST(X'\(hex(bytes))' AS TEXT)"
    case .blob(let data): return "X'\(hex(Array(data)))'"
    }
  }

  /// A name between double quotes.
  package static func name(_ name: String) -> String {
    "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789ABCDEF")
    return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }
}
