import DatastoreCore
import DatastoreExport
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import Testing

@testable import DatastoreImport

/// The readers of `datastore load` and SQLite read the written files back.
@Suite("Writers and readers")
struct WriterRoundTripTests {
  private static let types: [AttributeType] = [
    .integer64, .unsigned64, .boolean, .double, .float, .decimal, .string, .date, .uuid, .data,
  ]
  private static let pieces = [
    "a", "\"", ",", ";", "\t", "\n", "\r\n", "\r", " ", "é", "日本", "👩‍👩‍👧", "\u{FEFF}", "\u{1B}[1m",
    "\u{202E}", "\u{85}", "\\", "NULL", "true", "12", "'", "\u{0}", "\u{7F}", "|",
  ]

  private static func value(of type: AttributeType, _ random: inout SeededRandom) -> Value {
    if random.below(6) == 0 { return .null }
    switch type {
    case .boolean: return .integer(Int64(random.below(2)))
    case .double:
      let real = Double(bitPattern: random.next())
      return .real(real.isFinite ? real : Double(random.below(1000)) / 8)
    case .float:
      let real = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
      return .real(Double(real.isFinite ? real : 0.1))
    case .decimal:
      let digits = (0...random.below(35)).map { _ in String(random.below(10)) }.joined()
      let text = random.below(2) == 0 ? digits : "-\(random.below(100)).\(digits)7"
      return Value(decimal: Decimal(string: text) ?? 0)
    case .string:
      return .text((0..<random.below(6)).map { _ in pieces[random.below(pieces.count)] }.joined())
    case .date:
      // Within the years 1 to 9999: seconds, milliseconds and any fraction that is not lost.
      let seconds = Double(random.below(240_000_000_000)) - 60_000_000_000
      switch random.below(3) {
      case 0: return .real(seconds)
      case 1: return .real(seconds + Double(random.below(1000)) / 1000)
      default:
        return .real(Double(random.below(800_000_000)) + Double.random(in: 0..<1, using: &random))
      }
    case .uuid: return .blob(Data((0..<16).map { _ in UInt8(random.below(256)) }))
    case .data: return .blob(Data((0..<random.below(9)).map { _ in UInt8(random.below(256)) }))
    case .unsigned64: return .integer(Int64(random.next() >> UInt64(1 + random.below(63))))
    default: return .integer(Int64(bitPattern: random.next()) >> Int64(random.below(64)))
    }
  }

  private static func table(
    _ random: inout SeededRandom
  ) -> (columns: [ExportColumn], rows: [[Value]]) {
    let columns = (0...random.below(types.count)).map {
      ExportColumn(name: "c\($0)", type: types[random.below(types.count)])
    }
    let rows = (0..<random.below(30)).map { _ in
      columns.map { value(of: $0.type, &random) }
    }
    return (columns, rows)
  }

  @Test(
    "Values that were written are loaded as the same values",
    arguments: [ExportFormat.csv, .tsv, .json, .jsonLines])
  func load(format: ExportFormat) throws {
    var count = 0
    var round = 0
    // A case is a row.
    while count < RandomCases.count {
      let seed = RandomCases.seed(round)
      round += 1
      var random = SeededRandom(seed: seed)
      let (columns, rows) = Self.table(&random)
      let null = format.hasFreeNull && random.below(3) == 0 ? "NULL" : nil
      let text = try RowWriterTests.written(rows, columns, as: format) { $0.null = null }
      var options = ReadingOptions()
      if let null { options.csv.missing = [null] }
      let extensions: [ExportFormat: String] = [
        .csv: "csv", .tsv: "tsv", .json: "json", .jsonLines: "jsonl",
      ]
      let input = ByteInput(Array(text.utf8), name: "t.\(extensions[format] ?? "")")
      if rows.isEmpty, format == .jsonLines { continue }
      // One column leaves nothing from which the delimiter could be reported.
      options.csv.delimiter = format == .csv ? UInt8(ascii: ",") : UInt8(ascii: "\t")
      options.format = format == .json ? .json : format == .jsonLines ? .jsonLines : .csv
      var reader = try input.makeReader(options)
      for (index, row) in rows.enumerated() {
        let record = try #require(try reader.next(), "seed \(seed): row \(index) of \(text)")
        for (column, value) in zip(columns, row) {
          let read = try (record[column.name] ?? .null).converted(to: column.type)
          #expect(
            read == value,
            "seed \(seed), row \(index), \(column.name) \(column.type): \(text.debugDescription)")
        }
      }
      #expect(try reader.next() == nil, "seed \(seed)")
      count += rows.count
    }
  }

  @Test("INSERT statements store the same values")
  func insert() throws {
    let directory = try TemporaryDirectory()
    var count = 0
    var round = 0
    // A case is a row.
    while count < RandomCases.count {
      let seed = RandomCases.seed(round)
      round += 1
      var random = SeededRandom(seed: seed)
      let (columns, rows) = Self.table(&random)
      let sql = try RowWriterTests.written(rows, columns, as: .sql) { $0.table = "t" }
      let url = directory.url.appending(path: "\(seed).sqlite")
      let names = columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
      try SQLiteFile.make(at: url, "PRAGMA synchronous = OFF; CREATE TABLE t (\(names)); \(sql)")
      let store = try SQLiteStore(existing: url, isReadOnly: true)
      let read = try store.answer(SQLQuestion("SELECT * FROM t ORDER BY rowid", [])).rows
      #expect(read == rows, "seed \(seed)")
      try store.close()
      count += rows.count
    }
  }
}
