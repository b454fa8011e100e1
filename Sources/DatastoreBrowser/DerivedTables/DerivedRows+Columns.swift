import DatastoreCore
import SwiftDatastore
import TerminalUI

/// Columns of derived tables and their values.
extension DerivedRows.Column {
  /// A column with the name and the format of a column of the table below.
  init(like column: TableColumn, unit: String? = nil) {
    name = column.name
    self.unit = unit
    guard column.destination == nil, let format = column.format else { return }
    declaredType = format.declaration
    dates = format.dates ?? (format.type == .date ? .own : nil)
  }

  static let rowCount = Self(name: "rows", declaredType: "INTEGER", numbers: .grouped)

  /// A column of shares in all rows.
  static func share(most: Double) -> Self {
    Self(name: "share", declaredType: "REAL", picture: .share(most: most))
  }

  static func text(_ name: String) -> Self { Self(name: name, declaredType: "TEXT") }

  static func number(
    _ name: String, unit: String? = nil, as numbers: NumberFormat = .grouped
  ) -> Self {
    Self(name: name, unit: unit, numbers: numbers)
  }
}

extension ValueFormat {
  /// The type that a file would declare for a column with this format.
  var declaration: String? {
    if let declaredName { return declaredName }
    return switch type {
    case .boolean: "BOOLEAN"
    case .integer8, .integer16, .integer32, .integer64, .unsigned8, .unsigned16, .unsigned32,
      .unsigned64:
      "INTEGER"
    case .double, .float: "REAL"
    case .decimal: "DECIMAL"
    case .string: "TEXT"
    case .calendarDate: "DATE"
    case .uuid: "UUID"
    case .url, .date, .data, .coded, .undefined: nil
    }
  }
}

extension Measure {
  /// Whether the computed value is a date.
  var isDate: Bool {
    aggregate != nil && (column?.format?.isDate ?? false || column?.holdsDays ?? false)
  }

  /// The column of a derived table for this measure.
  ///
  /// - Parameters:
  ///   - units: the units of the columns below.
  ///   - numbers: returns the format of numbers computed from a column.
  func derivedColumn(
    _ units: [Slot: String], _ numbers: (TableColumn) -> NumberFormat
  ) -> DerivedRows.Column {
    if isDate { return .text(title) }
    guard let column else { return .rowCount }
    return .number(title, unit: column.slot.flatMap { units[$0] }, as: numbers(column))
  }
}

extension EffectRunner {
  /// The values of a column as a derived table stores them, with the names of objects and cases in place of
  /// their numbers.
  func shown(_ values: [Value], of column: TableColumn) async throws -> [Value] {
    guard let destination = column.destination else {
      return values.map { column.format?.named($0) ?? $0 }
    }
    let names = try await names(entity: destination, keys: values.compactMap(\.key))
    return values.map { value in
      value.key.map { key in
        .text(names[key] ?? "\(text(ofKey: key, destination)) is missing")
      } ?? value
    }
  }

  /// The group values as a derived table stores them: the names of objects and steps, and other values
  /// unchanged, so that NULL and an empty text stay what they are.
  func shown(_ groups: [Value], at path: [String], _ format: GroupFormat?) async throws -> [Value] {
    var names: [RowKey: String] = [:]
    if case .object(let entity) = format {
      names = try await self.names(entity: entity, keys: groups.compactMap(\.key))
    }
    let naming = SectionNaming(path: path, format: format, marks: Marks(.ascii))
    return groups.map { value in
      if value.isNull || value == .text("") { return value }
      let name = naming.name(of: value) { entity, key in
        names[key].map { .name($0) } ?? .missing(text(ofKey: key, entity))
      }
      // A number that needs no format stays a number, so that it sorts as one.
      return value.number != nil && name == ValueFormat(type: .undefined).cell(value).text
        ? value : .text(name)
    }
  }
}

extension Predicate {
  /// The rows whose value at a path is one of some values.
  static func isOneOf(
    _ values: [Value], at path: [String], of entity: Entity, in schema: Schema
  ) -> Predicate {
    let operand = Operand(at: path, of: entity, in: schema)
    let there = values.filter { !$0.isNull }
    var parts: [Predicate] = []
    if there.count == 1 {
      parts.append(.comparison(Comparison(operand, .equal, .value(there[0]))))
    } else if !there.isEmpty {
      parts.append(.comparison(Comparison(operand, .in, .list(there.map { .value($0) }))))
    }
    if there.count < values.count {
      parts.append(.comparison(Comparison(operand, .equal, .value(.null))))
    }
    return parts.count == 1 ? parts[0] : .or(parts)
  }
}

extension DerivedTableState {
  /// Leads from rows to the rows of the table below that have the same values at a path.
  static func lead(to values: [Value], at path: [String]) -> Lead {
    { rows, _ in
      { $0.narrow(to: [(rows.map { values[$0] }, path)]) }
    }
  }
}

extension BrowserState {
  /// Narrows the table to the rows that have one of some values at each of some paths.
  mutating func narrow(to wanted: [(values: [Value], path: [String])]) {
    guard let entity else { return }
    narrow(to: wanted.map { .isOneOf($0.values, at: $0.path, of: entity, in: schema) })
  }
}
