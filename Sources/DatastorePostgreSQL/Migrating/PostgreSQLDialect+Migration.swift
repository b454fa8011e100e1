#if PostgreSQL
import DatastoreCore
import DatastoreSQL

/// Values for another schema: computed by the server if it does so exactly as the program would, and
/// otherwise by the program, from tables that it has filled with them (`MadeValues`).
extension PostgreSQLDialect: MigrationDialect {
  /// A dropped column is only hidden.
  var mostDroppedColumns: Int { .max }

  var dropsByWriting: Bool { false }

  func conversion(
    _ conversion: AttributeConversion, of column: SQLFragment, for place: MigratedPlace
  ) -> ConversionSQL {
    let type = declaration(of: conversion.to)
    switch (conversion.kind, conversion.from, conversion.to) {
    case _ where !conversion.isMadeByProgram && conversion.keepsColumn: return ConversionSQL(column)
    case (_, .uuid, .data): return ConversionSQL("uuid_send(\(column))")
    case (_, .boolean, let to) where !conversion.isMadeByProgram:
      return ConversionSQL("\(column)::integer::\(declaration(of: to).droppingPrefix(" "))")
    case (.lossless, _, _) where !conversion.isMadeByProgram:
      return ConversionSQL("\(column)::\(type.droppingPrefix(" "))")
    case (_, _, let to) where !conversion.isMadeByProgram:
      let range = to.wholeNumbers ?? Int64.min...Int64.max
      let fits: SQLFragment =
        "\(column) BETWEEN \(.integer(range.lowerBound)) AND \(.integer(range.upperBound))"
      let value: SQLFragment =
        to == .boolean ? "\(column) <> 0" : "\(column)::\(type.droppingPrefix(" "))"
      return ConversionSQL("CASE WHEN \(fits) THEN \(value) END", isMisfit: "NOT (\(fits))")
    default:
      let value = MadeValues.value(.converted, for: place)
      return ConversionSQL(value, isMisfit: "\(column) IS NOT NULL AND \(value) IS NULL")
    }
  }

  func initialValue(for place: MigratedPlace) -> SQLFragment {
    MadeValues.value(.initial, for: place)
  }

  func constant(_ value: Value, of type: AttributeType) -> SQLFragment {
    let name = declaration(of: type).droppingPrefix(" ")
    switch (value, type) {
    case (.null, _): return "NULL"
    case (.integer(let integer), .boolean):
      return "\(literal: integer == 0 ? "false" : "true")::boolean"
    case (.real(let seconds), .date):
      guard let moment = ServerTime(secondsSince2001: seconds) else { return "NULL" }
      if moment == .infinity { return "\(literal: "infinity")::timestamptz" }
      if moment == .negativeInfinity { return "\(literal: "-infinity")::timestamptz" }
      return """
        (\(literal: "2000-01-01 00:00:00+00")::timestamptz \
        + \(.integer(moment.microseconds)) * \(literal: "1 microsecond")::interval)
        """
    case (.integer(let integer), _): return "\(literal: String(integer))::\(name)"
    case (.real(let real), _): return "\(literal: "\(real)")::\(name)"
    case (.text(let text), _): return "\(literal: text)::\(name)"
    case (.blob(let data), .uuid): return "\(literal: Hexadecimal.text(data))::uuid"
    case (.blob(let data), _): return "\(literal: "\\x\(Hexadecimal.text(data))")::bytea"
    }
  }
}

extension AttributeConversion {
  /// Whether the server cannot compute it as the program does.
  var isMadeByProgram: Bool {
    if keepsColumn { return false }
    switch (kind, from, to) {
    case (_, .uuid, .data): return false
    case (_, let from, let to) where from.wholeNumbers != nil && to.wholeNumbers != nil:
      return false
    // As text, and as another number if it has few enough digits, an integer is the same everywhere.
    case (.lossless, let from, .decimal), (.lossless, let from, .string),
      (.lossless, let from, .double), (.lossless, let from, .float):
      return from.wholeNumbers == nil
    default: return true
    }
  }

  /// Whether a column of the one type holds values of the other unchanged.
  var keepsColumn: Bool {
    switch (from, to) {
    case (.url, .string), (.calendarDate, .string), (.coded, .data): true
    default: from == to
    }
  }
}
#endif
