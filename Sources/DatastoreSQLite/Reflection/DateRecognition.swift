import Basics
import DatastoreCore
import DatastoreSQL
import Foundation
import GRDB
import GRDBSQLite

/// Determines how the columns of a third-party file store dates: by their names, their declared types and
/// some of their values.
///
/// A column counts as one of dates when its name or type suggests dates *and* every examined value is a date
/// between 1980 and 2100 in the same convention; zero, which means “none” in many programs, is ignored. Any
/// other column is unchanged: a number wrongly shown as a date misleads, a date shown as a number does not.
struct DateRecognition {
  /// The number of rows to examine from each end of a table.
  private static let rows = 24
  /// The length of the longest text that may be a date.
  private static let longest = 40
  /// The greatest number of pages to read of one table, besides those of its last row.
  private static let mostPages = 256

  private let database: Database
  /// Whether programs for Apple's systems have made the file.
  private let isApple: Bool

  init(_ database: Database, tables: [FileTable]) {
    self.database = database
    let names = Set(tables.map { $0.name.caselessKey })
    isApple = names.contains("z_metadata") || names.contains("_sqlitedatabaseproperties")
  }

  /// The conventions of a table's columns, by name. Reads some rows from both ends; O(1) in their number.
  ///
  /// - Throws: `DatabaseError` when the file cannot be read.
  func conventions(of table: FileTable) throws -> [String: DateConvention] {
    let columns = Self.candidates(of: table)
    guard !columns.isEmpty else { return [:] }
    var found: [String: DateConvention] = [:]
    for (column, values) in zip(columns, try samples(of: columns, in: table)) {
      found[column.name.exactKey] = convention(of: values, in: column)
    }
    return found
  }

  /// Some values of each column; none of a column with a cell that is too long.
  private func samples(of columns: [FileTable.Column], in table: FileTable) throws -> [[Value]] {
    var samples: [[Value]] = columns.map { _ in [] }
    do {
      try read(columns, of: table, into: &samples)
      return samples
    } catch let error as DatabaseError where error.resultCode == .SQLITE_TOOBIG {
      guard columns.count > 1 else { return [[]] }
      return try columns.flatMap { try self.samples(of: [$0], in: table) }
    }
  }

  /// Plain columns of tables: computing views and generated columns may take any time.
  static func candidates(of table: FileTable) -> [FileTable.Column] {
    guard table.kind == .table, table.unreadableReason == nil else { return [] }
    let referring = Set(table.foreignKeys.flatMap(\.columns).map { $0.caselessKey })
    return table.columns.filter { column in
      !column.name.isEmpty && !column.isGenerated
        && !referring.contains(column.name.caselessKey)
        && DateNames.suggestDates(column.name, declaredType: column.declaredType)
    }
  }

  private func read(
    _ columns: [FileTable.Column], of table: FileTable, into samples: inout [[Value]]
  ) throws {
    let names = columns.map { "\(name: $0.name)" as SQLFragment }.joined(by: ", ")
    let select: SQLFragment = "SELECT \(names) FROM \(name: table.name)"
    let limit: SQLFragment = " LIMIT \(number: Self.rows)"
    var parts = [select + limit]
    if case .rowid(let key) = table.key {
      parts.append(select + " ORDER BY \(name: key) DESC" + limit)
    }
    // SQLite refuses longer values before it reads them.
    let connection = database.sqliteConnection
    let usual = sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, -1)
    for part in parts {
      let statement = try RawStatement(part, in: database)
      sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, 1_000_000)
      defer { sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, usual) }
      let before = pagesRead
      while try statement.step() {
        for index in columns.indices { samples[index].append(value(statement, Int32(index))) }
        if pagesRead - before > Self.mostPages { break }
      }
    }
  }

  /// A value that may be a date; an empty blob for others, which are not.
  private func value(_ statement: RawStatement, _ column: Int32) -> Value {
    switch sqlite3_column_type(statement.pointer, column) {
    case SQLITE_TEXT where sqlite3_column_bytes(statement.pointer, column) <= Self.longest,
      SQLITE_INTEGER, SQLITE_FLOAT, SQLITE_NULL:
      statement.value(at: column)
    default: .blob(.init())
    }
  }

  private var pagesRead: Int {
    var current: Int32 = 0
    var highest: Int32 = 0
    sqlite3_db_status(
      database.sqliteConnection, SQLITE_DBSTATUS_CACHE_MISS, &current, &highest, 0)
    return Int(current)
  }
}

/// The rule.
extension DateRecognition {
  /// 1980-01-01 to 2099-12-31.
  private static let usual: Range<Int64> = 315_532_800..<4_102_444_800
  /// 2002 to 2035: numbers counted from 2001 are dates in these years. Smaller numbers are too common.
  private static let present: Range<Int64> = 1_009_843_200..<2_082_758_400

  /// The convention in which all values are dates.
  private func convention(of values: [Value], in column: FileTable.Column) -> DateConvention? {
    let values = values.filter { !$0.isNull && $0.number != 0 }
    guard let first = values.first else { return nil }
    if case .text = first { return Self.textConvention(of: values) }
    let fitting = DateConvention.numeric.filter { convention in
      values.allSatisfy { convention.seconds(of: $0).map(Self.usual.contains) ?? false }
    }
    let hasFractions = values.contains { value in
      if case .real(let real) = value { real != real.rounded() } else { false }
    }
    if fitting.contains(.julianDay) {
      let isCertain = hasFractions || DateNames.isDeclared(column.declaredType)
      return isCertain ? .julianDay : nil
    }
    return choose(from: fitting, values, hasFractions: hasFractions)
  }

  /// Numbers may count from 1970 or from 2001: today's dates then look like those of the nineties, and vice
  /// versa. If nothing decides, they stay numbers.
  private func choose(
    from fitting: [DateConvention], _ values: [Value], hasFractions: Bool
  ) -> DateConvention? {
    let others = fitting.filter { $0 != .appleSeconds && $0 != .appleNanoseconds }
    guard let apple = fitting.first(where: { !others.contains($0) }),
      values.allSatisfy({ apple.seconds(of: $0).map(Self.present.contains) ?? false }),
      // Numbers of these sizes are dates of the nineties otherwise; the others are far from any present date.
      others.allSatisfy({ $0 == .unixSeconds || $0 == .unixNanoseconds })
    else { return others.count == 1 ? others[0] : nil }
    // Clocks of Apple's libraries give fractions of a second, while others count whole ones.
    if isApple || hasFractions && !others.isEmpty { return apple }
    return nil
  }

  private static func textConvention(of values: [Value]) -> DateConvention? {
    var styles: [DateTextStyle] = []
    for value in values {
      guard case .text(let text) = value, let style = DateTextStyle(text),
        let seconds = DateConvention.text(style).seconds(of: value), year1000 <= seconds
      else { return nil }
      styles.append(style)
    }
    // The order of texts is chronological only if all have the same style.
    guard let first = styles.first, styles.allSatisfy({ $0.isOrdered(with: first) }) else {
      return nil
    }
    return .text(styles.contains(.day) ? styles.first { $0 != .day } ?? .day : first)
  }

  private static let year1000: Int64 = -30_610_224_000
}
