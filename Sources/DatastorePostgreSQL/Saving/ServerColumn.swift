#if PostgreSQL
import DatastoreCore
import DatastoreSQL
import Foundation

/// A column that saving writes, with the type that its values are sent as.
struct ServerColumn {
  let name: String
  let slot: Slot
  let type: PostgreSQLType

  /// The column of an attribute or a to-one relationship; nil for other slots, and for columns that the server computes.
  init?(_ mapping: SchemaMapping, _ entity: EntityIndex, _ slot: Slot) {
    self.slot = slot
    switch mapping.entities[entity].slots[slot] {
    case .attribute(let column):
      guard !column.isGenerated,
        let attribute = mapping.schema.entities[entity].properties[slot].attribute
      else { return nil }
      name = column.name
      type = PostgreSQLType(storing: attribute.type)
    case .toOne(let foreign):
      guard foreign.isWritable, foreign.names.count == 1 else { return nil }
      name = foreign.names[0]
      type = .int8
    case .toManyForeignKey, .toManyJoin: return nil
    }
  }

  /// Puts a cell into an array of the column's type.
  ///
  /// - Returns: whether the server will hold just that; false where it has fewer digits.
  /// - Throws: `Unstorable` with the end of a sentence.
  func append(
    _ page: RowPage, _ row: Int, to array: inout PostgreSQLArray
  ) throws(Unstorable) -> Bool {
    switch (page.tag(row: row, slot: slot), type) {
    case (.null, _): array.appendNull()
    case (.integer, .bool): array.append(page.integer(row: row, slot: slot) != 0)
    case (.integer, .int2): array.append(try fitting(page, row, Int16.self))
    case (.integer, .int4): array.append(try fitting(page, row, Int32.self))
    case (.integer, .int8): array.append(page.integer(row: row, slot: slot))
    case (.real, .timestamptz):
      let seconds = page.real(row: row, slot: slot)
      guard let moment = ServerTime(secondsSince2001: seconds) else {
        throw Unstorable(detail: "is a date beyond those of PostgreSQL, or none")
      }
      array.append(moment.microseconds)
      return moment.secondsSince2001 == seconds
    case (.real, .float8), (.real, .float4), (.integer, .float8), (.integer, .float4):
      let real =
        page.tag(row: row, slot: slot) == .real
        ? page.real(row: row, slot: slot) : Double(page.integer(row: row, slot: slot))
      if real.isNaN {
        array.appendNull()
        return false
      }
      if type == .float8 {
        array.append(real)
      } else {
        array.append(Float(real))
        return Double(Float(real)) == real
      }
    case (.text, .text):
      let bytes = page.bytes(row: row, slot: slot)
      if bytes.contains(0) {
        throw Unstorable(detail: "has a NUL character, which no text of PostgreSQL has")
      }
      array.append(bytes: bytes)
    case (.blob, .bytea): array.append(bytes: page.bytes(row: row, slot: slot))
    case (.blob, .uuid) where page.bytes(row: row, slot: slot).count == 16:
      array.append(bytes: page.bytes(row: row, slot: slot))
    case (.integer, .numeric), (.real, .numeric), (.text, .numeric):
      guard let decimal = ServerDecimal(page.value(row: row, slot: slot)) else {
        throw Unstorable(detail: "is no decimal number")
      }
      array.append(utf8: decimal.bytes)
    default:
      throw Unstorable(detail: "is of another kind than its column holds")
    }
    return true
  }

  private func fitting<Integer: FixedWidthInteger>(
    _ page: RowPage, _ row: Int, _ type: Integer.Type
  ) throws(Unstorable) -> Integer {
    guard let integer = Integer(exactly: page.integer(row: row, slot: slot)) else {
      throw Unstorable(detail: "is a number that its column has no room for")
    }
    return integer
  }
}

/// A value that no column of its type holds.
struct Unstorable: Error {
  /// The end of a sentence about it.
  let detail: String
}

extension PostgreSQLType {
  /// The type of a column of ours (`PostgreSQLDialect.declaration(of:)`).
  init(storing type: AttributeType) {
    switch type {
    case .integer8, .integer16, .unsigned8: self = .int2
    case .integer32, .unsigned16: self = .int4
    case .integer64, .unsigned32, .unsigned64: self = .int8
    case .boolean: self = .bool
    case .float: self = .float4
    case .double: self = .float8
    case .decimal: self = .numeric
    case .string, .url, .calendarDate: self = .text
    case .date: self = .timestamptz
    case .uuid: self = .uuid
    case .data, .coded: self = .bytea
    case .undefined: self = .unknown
    }
  }
}
#endif
