import DatastoreCore
import DatastoreSQL

/// Conversion of values to another schema: by SQLite if its conversion is exact, and otherwise by this
/// library's functions.
extension SQLiteDialect: MigrationDialect {
  /// Each is a pass over the table.
  var mostDroppedColumns: Int { 2 }

  var dropsByWriting: Bool { true }

  func conversion(
    _ conversion: AttributeConversion, of column: SQLFragment, for place: MigratedPlace
  ) -> ConversionSQL {
    switch (conversion.kind, conversion.from, conversion.to) {
    case (.identity, _, _), (.lossless, .date, .double), (.lossless, .double, .date),
      (.lossless, .float, .double), (.lossless, .float, .date), (.lossless, .url, .string),
      (.lossless, .calendarDate, .string), (.lossless, .uuid, .data), (.lossless, .coded, .data):
      return ConversionSQL(column)
    case (_, .data, .uuid):
      return ConversionSQL(
        column,
        isMisfit:
          "\(column) IS NOT NULL AND (typeof(\(column)) <> 'blob' OR length(\(column)) <> 16)")
    case (_, let from, let to) where from.wholeNumbers != nil && to.wholeNumbers != nil:
      return ConversionSQL(
        column,
        isMisfit: conversion.kind == .lossless
          ? nil : "\(column) IS NOT NULL AND \(isOutside(to, column))")
    // A column of integers would be compared with texts by number, as by a rule of the new attribute.
    case (.lossless, let from, .string) where from.wholeNumbers != nil && from != .boolean:
      return ConversionSQL("CAST(\(column) AS TEXT)")
    // Columns of reals convert integers to reals.
    case (.lossless, let from, let to)
    where from.wholeNumbers != nil && from != .boolean
      && [.double, .float, .decimal].contains(to):
      return ConversionSQL(column)
    case (.checked, let from, .double) where from.wholeNumbers != nil:
      let exact = Int64(1) << 53
      return ConversionSQL(
        column,
        isMisfit: """
          \(column) IS NOT NULL AND (typeof(\(column)) <> 'integer' \
          OR \(column) NOT BETWEEN \(.integer(-exact)) AND \(.integer(exact)))
          """)
    case (_, .double, let to) where to.wholeNumbers != nil:
      return ConversionSQL(
        "CAST(\(column) AS INTEGER)",
        isMisfit: """
          \(column) IS NOT NULL AND (\(column) <> CAST(\(column) AS INTEGER) \
          OR \(isOutside(to, "CAST(\(column) AS INTEGER)")) \
          OR typeof(\(column)) NOT IN ('real', 'integer'))
          """)
    default:
      let value: SQLFragment = """
        datastore_convert(\(column), \(number: conversion.from.number), \
        \(number: conversion.to.number))
        """
      return ConversionSQL(value, isMisfit: "\(column) IS NOT NULL AND \(value) IS NULL")
    }
  }

  private func isOutside(_ type: AttributeType, _ value: SQLFragment) -> SQLFragment {
    let range = type.wholeNumbers ?? Int64.min...Int64.max
    return """
      (typeof(\(value)) <> 'integer' \
      OR \(value) NOT BETWEEN \(.integer(range.lowerBound)) AND \(.integer(range.upperBound)))
      """
  }

  func initialValue(for place: MigratedPlace) -> SQLFragment {
    "datastore_initial(\(number: place.entity.rawValue), \(number: place.slot.rawValue))"
  }

  /// Columns store a value unchanged.
  func constant(_ value: Value, of type: AttributeType) -> SQLFragment { "\(value)" }
}

extension AttributeType {
  /// Its index among all types, by which statements pass it to functions.
  var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
