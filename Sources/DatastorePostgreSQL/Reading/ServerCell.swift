#if PostgreSQL
import DatastoreCore
import Foundation

/// How the fields of a column are read: chosen once for a column, by its type.
enum ServerCell {
  case integer, boolean, real, decimal, text, blob
  /// A moment as a number of seconds.
  case date
  /// A moment that is text where a number of seconds has too few digits.
  case instant
  /// The values of a key of several columns.
  case record

  /// Other types are selected as text (`PostgreSQLDialect.selected`).
  ///
  /// - Parameter keepsDigits: whether the value may go back into a column that somebody else filled.
  init(_ type: PostgreSQLType, keepsDigits: Bool = false) {
    switch type {
    case .int2, .int4, .int8: self = .integer
    case .bool: self = .boolean
    case .float4, .float8: self = .real
    case .numeric: self = .decimal
    case .timestamp, .timestamptz: self = keepsDigits ? .instant : .date
    case .bytea, .uuid: self = .blob
    case PostgreSQLType(rawValue: 2249): self = .record
    default: self = .text
    }
  }

  /// Copies a field that is not NULL into a cell that is.
  @inline(__always)
  func set(_ bytes: UnsafeRawBufferPointer, _ page: RowPage, row: Int, column: Int) {
    switch self {
    case .integer, .boolean: page.setInteger(bytes.networkInteger, row: row, column: column)
    case .real:
      let real = bytes.networkReal
      // NULL stands for NaN, as everywhere else.
      if !real.isNaN { page.setReal(real, row: row, column: column) }
    case .instant:
      page.setValue(bytes.networkMoment.value, row: row, column: column)
    case .date:
      page.setReal(bytes.networkMoment.secondsSince2001, row: row, column: column)
    case .text:
      page.setBytes(bytes.bindMemory(to: UInt8.self), tag: .text, row: row, column: column)
    case .blob:
      page.setBytes(bytes.bindMemory(to: UInt8.self), tag: .blob, row: row, column: column)
    case .decimal: page.setValue(Value(serverDecimal: bytes), row: row, column: column)
    case .record: page.setValue(value(bytes), row: row, column: column)
    }
  }

  /// A field that is not NULL.
  func value(_ bytes: UnsafeRawBufferPointer) -> Value {
    switch self {
    case .integer, .boolean: .integer(bytes.networkInteger)
    case .real: bytes.networkReal.isNaN ? .null : .real(bytes.networkReal)
    case .instant: bytes.networkMoment.value
    case .date: .real(bytes.networkMoment.secondsSince2001)
    case .text: .text(String(decoding: bytes, as: UTF8.self))
    case .blob: .blob(Data(bytes))
    case .decimal: Value(serverDecimal: bytes)
    case .record: .text(Self.values(ofRecord: bytes).map(\.description).joined(separator: ", "))
    }
  }

  /// A field of a key. NaN is one, and is not NULL.
  func keyPart(_ bytes: UnsafeRawBufferPointer) -> Value {
    let value = value(bytes)
    return value.isNull ? .text("NaN") : value
  }

  /// The values of a record, a key: their count, then each one's type, length (-1 for NULL) and bytes.
  static func values(ofRecord bytes: UnsafeRawBufferPointer) -> [Value] {
    var offset = 4
    return (0..<bytes.network(Int32.self, at: 0)).map { _ in
      let type = PostgreSQLType(rawValue: bytes.network(UInt32.self, at: offset))
      let length = Int(bytes.network(Int32.self, at: offset + 4))
      offset += 8
      guard length >= 0 else { return .null }
      defer { offset += length }
      return ServerCell(type, keepsDigits: true).keyPart(
        UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length]))
    }
  }
}

extension Value {
  /// A `numeric` in binary form: the number of digits to the base 10,000, the power of the first one, the
  /// sign, and the number of places that are shown; then the digits.
  init(serverDecimal bytes: UnsafeRawBufferPointer) {
    let count = Int(bytes.network(Int16.self, at: 0))
    let weight = Int(bytes.network(Int16.self, at: 2))
    let sign = bytes.network(UInt16.self, at: 4)
    func digit(_ index: Int) -> Int {
      index < count ? Int(bytes.network(UInt16.self, at: 8 + 2 * index)) : 0
    }
    switch sign {
    case 0xC000: self = .null
    case 0xD000: self = .real(.infinity)
    case 0xF000: self = .real(-.infinity)
    default:
      if count <= weight + 1, weight < 4 {
        // A whole number less than 10 to the 16th.
        var integer = 0
        for index in 0..<max(weight + 1, 0) { integer = integer * 10_000 + digit(index) }
        self = .integer(Int64(sign == 0x4000 ? -integer : integer))
        return
      }
      var text = sign == 0x4000 ? "-" : ""
      text += weight < 0 ? "0" : String(digit(0))
      for index in 0..<max(weight, 0) { text += Self.fourDigits(digit(index + 1)) }
      if count > weight + 1 {
        var fraction = String(repeating: "0", count: 4 * max(-weight - 1, 0))
        for index in max(weight + 1, 0)..<count { fraction += Self.fourDigits(digit(index)) }
        while fraction.last == "0" { fraction.removeLast() }
        if !fraction.isEmpty { text += ".\(fraction)" }
      }
      self = Value(decimalText: text)
    }
  }

  private static func fourDigits(_ digit: Int) -> String {
    let text = String(digit)
    return String(repeating: "0", count: 4 - text.count) + text
  }
}
#endif
