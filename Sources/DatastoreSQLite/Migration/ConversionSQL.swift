import DatastoreCore
import DatastoreSQL

/// A conversion of values as SQL: what SQLite does by itself, where it does it exactly, and a function of ours
/// otherwise.
struct ConversionSQL {
  /// The new value.
  let value: SQLFragment
  /// That a value, which is not NULL, does not fit; nil where all do.
  let isMisfit: SQLFragment?

  /// - Parameter column: the column that holds the old value.
  init(_ conversion: AttributeConversion, of column: SQLFragment) {
    switch (conversion.kind, conversion.from, conversion.to) {
    case (.identity, _, _), (.lossless, .date, .double), (.lossless, .double, .date),
      (.lossless, .float, .double), (.lossless, .float, .date), (.lossless, .url, .string),
      (.lossless, .calendarDate, .string), (.lossless, .uuid, .data), (.lossless, .coded, .data):
      (value, isMisfit) = (column, nil)
    case (_, .data, .uuid):
      value = column
      isMisfit =
        "\(column) IS NOT NULL AND (typeof(\(column)) <> 'blob' OR length(\(column)) <> 16)"
    case (_, let from, let to) where from.wholeNumbers != nil && to.wholeNumbers != nil:
      value = column
      isMisfit =
        conversion.kind == .lossless
        ? nil : "\(column) IS NOT NULL AND \(Self.isOutside(to, column, typeof: "'integer'"))"
    // Columns of reals make reals of integers, and columns of text make text.
    case (.lossless, let from, let to)
    where from.wholeNumbers != nil && from != .boolean
      && [.double, .float, .decimal, .string].contains(to):
      (value, isMisfit) = (column, nil)
    case (.checked, let from, .double) where from.wholeNumbers != nil:
      value = column
      let exact = Int64(1) << 53
      isMisfit = """
        \(column) IS NOT NULL AND (typeof(\(column)) <> 'integer' \
        OR \(column) NOT BETWEEN \(.integer(-exact)) AND \(.integer(exact)))
        """
    case (_, .double, let to) where to.wholeNumbers != nil:
      value = "CAST(\(column) AS INTEGER)"
      isMisfit = """
        \(column) IS NOT NULL AND (\(column) <> CAST(\(column) AS INTEGER) \
        OR \(Self.isOutside(to, "CAST(\(column) AS INTEGER)", typeof: "'integer'")) \
        OR typeof(\(column)) NOT IN ('real', 'integer'))
        """
    default:
      value = """
        datastore_convert(\(column), \(number: conversion.from.number), \
        \(number: conversion.to.number))
        """
      isMisfit = "\(column) IS NOT NULL AND \(value) IS NULL"
    }
  }

  private static func isOutside(
    _ type: AttributeType, _ value: SQLFragment, typeof: String
  ) -> SQLFragment {
    let range = type.wholeNumbers ?? Int64.min...Int64.max
    return """
      (typeof(\(value)) <> 'integer' \
      OR \(value) NOT BETWEEN \(.integer(range.lowerBound)) AND \(.integer(range.upperBound)))
      """
  }
}

extension AttributeType {
  /// Its place among all types, by which statements name it to functions.
  var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
