#if PostgreSQL
import DatastoreCore
import Foundation

extension ServerForm {
  /// The content of a cell or a value.
  enum Content {
    case null
    case integer(Int64)
    case real(Double)
    case text(UnsafeBufferPointer<UInt8>)
    case blob(UnsafeBufferPointer<UInt8>)
  }

  /// Puts a cell into an array of this form.
  ///
  /// - Returns: whether the server will hold exactly that value; false if it keeps fewer digits.
  /// - Throws: `Unstorable` with the end of a sentence.
  @inline(__always)
  func append(
    _ page: RowPage, _ row: Int, _ slot: Slot, to array: inout some ServerFields
  ) throws(Unstorable) -> Bool {
    switch page.tag(row: row, slot: slot) {
    case .null: try put(.null, to: &array)
    case .integer: try put(.integer(page.integer(row: row, slot: slot)), to: &array)
    case .real: try put(.real(page.real(row: row, slot: slot)), to: &array)
    case .text: try put(.text(page.bytes(row: row, slot: slot)), to: &array)
    case .blob: try put(.blob(page.bytes(row: row, slot: slot)), to: &array)
    }
  }

  /// Puts a value into an array of this form.
  ///
  /// - Returns: the same as for a cell.
  /// - Throws: the same as for a cell.
  func append(_ value: Value, to array: inout some ServerFields) throws(Unstorable) -> Bool {
    switch value {
    case .null: return try put(.null, to: &array)
    case .integer(let integer): return try put(.integer(integer), to: &array)
    case .real(let real): return try put(.real(real), to: &array)
    case .text(let text):
      return try Array(text.utf8).appending(to: &array) { bytes, array throws(Unstorable) in
        try put(.text(bytes), to: &array)
      }
    case .blob(let data):
      return try Array(data).appending(to: &array) { bytes, array throws(Unstorable) in
        try put(.blob(bytes), to: &array)
      }
    }
  }

  @inline(__always)
  private func put(
    _ content: Content, to array: inout some ServerFields
  ) throws(Unstorable) -> Bool {
    switch (content, element) {
    case (.null, _): array.appendNull()
    case (.integer(let integer), .bool): array.append(integer != 0)
    case (.integer(let integer), .int2): array.append(try fitting(integer, Int16.self))
    case (.integer(let integer), .int4): array.append(try fitting(integer, Int32.self))
    case (.integer(let integer), .int8): array.append(integer)
    case (.text(let bytes), .text):
      if bytes.contains(0) {
        throw Unstorable(detail: "has a NUL character, which no text of PostgreSQL has")
      }
      array.append(bytes: bytes)
    case (.text(let bytes), .date):
      let text = String(decoding: bytes, as: UTF8.self)
      guard let moment = CalendarDate(text).flatMap({ Moment($0.description) }) else {
        throw Unstorable(detail: "is no date")
      }
      // From 1970, and from 2000, in days.
      array.append(Int32(moment.seconds / 86_400 - 10_957))
    case (.blob(let bytes), .bytea): array.append(bytes: bytes)
    case (.blob(let bytes), .uuid) where bytes.count == 16: array.append(bytes: bytes)
    case (.real(let real), .float8), (.real(let real), .float4):
      return append(real, to: &array)
    case (.integer(let integer), .float8), (.integer(let integer), .float4):
      return append(Double(integer), to: &array)
    case (.real(let seconds), .timestamptz), (.real(let seconds), .timestamp):
      return try append(date: seconds, to: &array)
    case (.integer(let seconds), .timestamptz), (.integer(let seconds), .timestamp):
      return try append(date: Double(seconds), to: &array)
    case (.text(let bytes), .timestamptz), (.text(let bytes), .timestamp):
      guard let moment = ServerTime(String(decoding: bytes, as: UTF8.self)) else {
        throw Unstorable(detail: "is no date")
      }
      array.append(moment.microseconds)
    case (.text(let bytes), .float8) where bytes.elementsEqual("NaN".utf8): array.append(Double.nan)
    case (.text(let bytes), .float4) where bytes.elementsEqual("NaN".utf8): array.append(Float.nan)
    case (.text(let bytes), .numeric) where bytes.elementsEqual("NaN".utf8):
      array.append(utf8: [0, 0, 0, 0, 0xC0, 0, 0, 0])
    case (_, .numeric): try append(decimal: content, to: &array)
    // A value of a type of the server's own may be written as a number.
    case (.integer(let integer), .text) where isReadAsText:
      array.append(utf8: String(integer).utf8)
    case (.real(let real), .text) where isReadAsText: array.append(utf8: "\(real)".utf8)
    default:
      throw Unstorable(detail: "is of another kind than its column holds")
    }
    return true
  }

  private func append(_ real: Double, to array: inout some ServerFields) -> Bool {
    if real.isNaN {
      array.appendNull()
      return false
    }
    if element == .float8 {
      array.append(real)
      return true
    }
    array.append(Float(real))
    return Double(Float(real)) == real
  }

  private func append(
    date seconds: Double, to array: inout some ServerFields
  ) throws(Unstorable) -> Bool {
    guard let moment = ServerTime(secondsSince2001: seconds) else {
      throw Unstorable(detail: "is a date beyond those of PostgreSQL, or none")
    }
    array.append(moment.microseconds)
    return moment.secondsSince2001 == seconds
  }

  private func append(
    decimal content: Content, to array: inout some ServerFields
  ) throws(Unstorable) {
    let value: Value =
      switch content {
      case .null: .null
      case .integer(let integer): .integer(integer)
      case .real(let real): .real(real)
      case .text(let bytes), .blob(let bytes): .text(String(decoding: bytes, as: UTF8.self))
      }
    // Third-party columns may have an infinite number, which no `Decimal` is.
    if !isExact, case .real(let real) = value, real.isInfinite {
      array.append(utf8: [0, 0, 0, 0, real > 0 ? 0xD0 : 0xF0, 0, 0, 0])
      return
    }
    guard let decimal = ServerDecimal(value) else {
      throw Unstorable(detail: "is no decimal number")
    }
    array.append(utf8: decimal.bytes)
  }

  private func fitting<Integer: FixedWidthInteger>(
    _ integer: Int64, _ type: Integer.Type
  ) throws(Unstorable) -> Integer {
    guard let fitting = Integer(exactly: integer) else {
      throw Unstorable(detail: "is a number that its column has no room for")
    }
    return fitting
  }
}

extension [UInt8] {
  /// `withUnsafeBufferPointer` for a body with typed errors.
  fileprivate func appending<Fields: ServerFields>(
    to fields: inout Fields,
    _ body: (UnsafeBufferPointer<UInt8>, inout Fields) throws(Unstorable) -> Bool
  ) throws(Unstorable) -> Bool {
    try withUnsafeBufferPointer { bytes throws(Unstorable) in try body(bytes, &fields) }
  }
}
#endif
