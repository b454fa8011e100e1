#if PostgreSQL
import Foundation

/// libpq, each work in the cheapest way that was found.
struct RawServerContender: ServerContender {
  static let name = "libpq"

  let connection: ServerConnection
  let rows: Int

  static let columns =
    #""_id", "name", "surname", "age", "salary", "position", "department", "hired", "email""#

  init(database: String, rows: Int) throws {
    connection = try ServerConnection(database)
    self.rows = rows
  }

  func close() {}

  /// The library's connection for saving has saved something before.
  func prepare(for work: ServerWork) async throws {
    guard work.writes else { return }
    try connection.run(#"UPDATE "Department" SET "name" = "name" WHERE "_id" = 1"#)
  }

  func seconds(for work: ServerWork) async throws -> Double {
    switch work {
    case .insertMany: try insert(batch: rows)
    case .createAndSave: try insert(batch: 10_000)
    case .fetchAll: try read(#"SELECT \#(Self.columns) FROM "Employee""#)
    case .filtered:
      try read(
        #"SELECT \#(Self.columns) FROM "Employee" WHERE "salary" > \#(EmployeeValues.highSalary)"#)
    case .keys: try keys(#"SELECT "_id" FROM "Employee" ORDER BY "_id""#)
    case .sortedKeys: try keys(#"SELECT "_id" FROM "Employee" ORDER BY "surname", "_id""#)
    case .firstFifty:
      try answer(
        #"SELECT \#(Self.columns) FROM "Employee" ORDER BY "salary" DESC, "_id" LIMIT 50"#, [],
        take: readRows)
    case .sectionTable:
      try answer(
        #"SELECT "position", count(*) FROM "Employee" GROUP BY "position" ORDER BY "position""#, []
      ) { answer in
        (0..<answer.count).map { (answer.field($0, 0).bigint, answer.field($0, 1).bigint) }
      }
    case .together:
      try answer(
        #"SELECT \#(Self.columns) FROM "Employee" WHERE "_id" = ANY($1)"#,
        { [ServerArray(bigints: EmployeeValues.keys(of: rows))] }, take: readRows)
    case .updateAndSave: try update()
    case .deleteAndSave:
      try answer(
        #"DELETE FROM "Employee" WHERE "_id" = ANY($1)"#,
        { [ServerArray(bigints: EmployeeValues.keys(of: rows).sorted())] }, take: \.count)
    case .mixedSave: try save()
    }
  }

  private func answer(
    _ statement: String, _ parameters: @autoclosure () -> [ServerArray],
    take: (ServerAnswer) -> some Any
  ) throws -> Double {
    var watch = Stopwatch()
    use(try watch.time { take(try connection.run(statement, parameters())) })
    return watch.seconds
  }

  private func answer(
    _ statement: String, _ parameters: () -> [ServerArray], take: (ServerAnswer) -> some Any
  ) throws -> Double {
    var watch = Stopwatch()
    use(try watch.time { take(try connection.run(statement, parameters())) })
    return watch.seconds
  }

  private func keys(_ statement: String) throws -> Double {
    try answer(
      "SELECT string_agg(int8send(key), ''::bytea) FROM (\(statement)) AS keys (key)", []
    ) { answer in
      let bytes = answer.field(0, 0)
      return stride(from: 0, to: answer.length(0, 0), by: 8).map { (bytes + $0).bigint }
    }
  }

  /// Reads all nine fields of each row, and computes with the three that everybody computes with.
  private func readRows(_ answer: ServerAnswer) -> Double {
    var sum = 0.0
    for row in 0..<answer.count {
      var bytes = 0
      for column in 0..<9 { bytes += answer.length(row, column) }
      sum += Double(answer.field(row, 3).bigint) + answer.field(row, 4).double
      sum += Double(answer.length(row, 1)) + (bytes == 0 ? 1 : 0)
    }
    return sum
  }

  private func read(_ statement: String) throws -> Double {
    var watch = Stopwatch()
    use(
      try watch.time {
        var sum = 0.0
        try connection.copyOut(statement) { sum += Self.readRow($0) }
        return sum
      })
    return watch.seconds
  }

  /// The same of a row as COPY has it: each field behind its length.
  @inline(__always)
  private static func readRow(_ row: UnsafeRawPointer) -> Double {
    guard Int16(bigEndian: row.loadUnaligned(as: Int16.self)) == 9 else { return 0 }
    var place = row + 2
    var sum = 0.0
    var bytes = 0
    for column in 0..<9 {
      let length = Int(Int32(bigEndian: place.loadUnaligned(as: Int32.self)))
      let field = place + 4
      switch column {
      case 1: sum += Double(length)
      case 3: sum += Double(field.bigint)
      case 4: sum += field.double
      default: bytes += length
      }
      place = field + length
    }
    return bytes == 0 ? 0 : sum
  }
}

extension UnsafeRawPointer {
  @inline(__always)
  fileprivate var bigint: Int64 { Int64(bigEndian: loadUnaligned(as: Int64.self)) }

  @inline(__always)
  fileprivate var double: Double { Double(bitPattern: UInt64(bitPattern: bigint)) }
}
#endif
