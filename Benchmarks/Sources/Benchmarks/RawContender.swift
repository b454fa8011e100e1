import Foundation
import GRDBSQLite

/// The C API with reused statements: the limit. Rows are read column by column and not kept.
final class RawContender: Contender {
  static let name = "raw C API"

  let connection: SQLiteConnection
  private let rows: Int

  init(file: URL, rows: Int) throws {
    connection = try SQLiteConnection(file.path)
    self.rows = rows
  }

  func close() throws { try connection.close() }

  func bytesPerObject() async throws -> Double? { nil }

  private static let columns =
    "_id, name, surname, age, salary, position, department, hired, email"

  func seconds(for work: Work) async throws -> Double? {
    switch work {
    case .createAndSave: try insert(batch: 10_000)
    case .insertMany: try insert(batch: rows)
    case .fetchAll: try read("SELECT \(Self.columns) FROM Employee")
    case .sortedKeys: try keys("SELECT _id FROM Employee ORDER BY surname, _id")
    case .firstFifty:
      try read("SELECT \(Self.columns) FROM Employee ORDER BY salary DESC, _id LIMIT 50")
    case .filtered:
      try read(
        "SELECT \(Self.columns) FROM Employee WHERE salary > \(EmployeeValues.highSalary)")
    case .sectionTable: try sections()
    case .controllerList: try keysAndSections()
    case .controllerMerge: try searchPlaces()
    case .updateAndSave:
      try forEachKey("UPDATE Employee SET salary = ?2 WHERE _id = ?1", inTransaction: true) {
        sqlite3_bind_double($0, 2, Double($1))
      }
    case .deleteAndSave:
      try forEachKey("DELETE FROM Employee WHERE _id = ?1", inTransaction: true) { _, _ in }
    case .updateMany:
      try change("UPDATE Employee SET age = 40 WHERE salary > \(EmployeeValues.tenthSalary)")
    case .deleteMany:
      try change("DELETE FROM Employee WHERE salary > \(EmployeeValues.tenthSalary)")
    case .transactions: try transactions()
    case .findOrCreate: try findOrCreate()
    case .importObjects, .importMore: try upsertMembers(work.importCount, there: 0)
    case .upsert: try upsertMembers(rows, there: rows / 2)
    case .oneByOne, .together:
      try forEachKey(
        "SELECT \(Self.columns) FROM Employee WHERE _id = ?1", inTransaction: work == .together
      ) { _, _ in }
    }
  }

  private func transactions() throws -> Double {
    let begin = try connection.statement("BEGIN IMMEDIATE")
    let read = try connection.statement("SELECT salary FROM Employee WHERE _id = ?1")
    let write = try connection.statement("UPDATE Employee SET salary = ?2 WHERE _id = ?1")
    let commit = try connection.statement("COMMIT")
    let keys = EmployeeValues.keys(of: rows).prefix(Work.transactionCount)
    var watch = Stopwatch()
    try watch.time {
      for key in keys {
        try begin.run()
        sqlite3_bind_int64(read.pointer, 1, key)
        _ = try read.step()
        let salary = sqlite3_column_double(read.pointer, 0)
        sqlite3_reset(read.pointer)
        sqlite3_bind_int64(write.pointer, 1, key)
        sqlite3_bind_double(write.pointer, 2, salary + 1)
        try write.run()
        try commit.run()
      }
    }
    return watch.seconds
  }

  private func findOrCreate() throws -> Double {
    let find = try connection.statement("SELECT _id FROM Badge WHERE number = ?1")
    let create = try connection.statement("INSERT INTO Badge (number) VALUES (?1)")
    var watch = Stopwatch()
    try watch.time {
      try connection.run("BEGIN IMMEDIATE")
      for number in 0..<Int64(Work.badgeCount) {
        sqlite3_bind_int64(find.pointer, 1, number)
        let isThere = try find.step()
        sqlite3_reset(find.pointer)
        if isThere { continue }
        sqlite3_bind_int64(create.pointer, 1, number)
        try create.run()
      }
      try connection.run("COMMIT")
    }
    return watch.seconds
  }

  private func insert(batch size: Int) throws -> Double {
    let statement = try connection.statement(
      "INSERT INTO Employee (\(Self.columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)")
    let pointer = statement.pointer
    var watch = Stopwatch()
    for start in stride(from: 0, to: rows, by: size) {
      let batch = (start..<min(start + size, rows)).map { EmployeeValues(row: $0) }
      try watch.time {
        try connection.run("BEGIN IMMEDIATE")
        for (index, values) in batch.enumerated() {
          sqlite3_bind_int64(pointer, 1, Int64(start + index + 1))
          statement.bind(values.name, at: 2)
          statement.bind(values.surname, at: 3)
          sqlite3_bind_int64(pointer, 4, Int64(values.age))
          sqlite3_bind_double(pointer, 5, values.salary)
          sqlite3_bind_int64(pointer, 6, Int64(values.position))
          sqlite3_bind_int64(pointer, 7, values.department)
          sqlite3_bind_double(pointer, 8, values.hired)
          statement.bind(values.email, at: 9)
          try statement.run()
        }
        try connection.run("COMMIT")
      }
    }
    return watch.seconds
  }

  private func read(_ sql: String) throws -> Double {
    let statement = try connection.statement(sql)
    var watch = Stopwatch()
    use(
      try watch.time {
        var sum = 0.0
        while try statement.step() { sum += Self.readRow(statement.pointer) }
        return sum
      })
    return watch.seconds
  }

  /// Reads all nine columns, and computes with the three that everybody computes with.
  @inline(__always)
  private static func readRow(_ pointer: OpaquePointer) -> Double {
    var bytes = sqlite3_column_int64(pointer, 0)
    let name = sqlite3_column_text(pointer, 1)
    let length = sqlite3_column_bytes(pointer, 1)
    let surname = sqlite3_column_text(pointer, 2)
    bytes += Int64(sqlite3_column_bytes(pointer, 2))
    let age = sqlite3_column_int64(pointer, 3)
    let salary = sqlite3_column_double(pointer, 4)
    bytes += sqlite3_column_int64(pointer, 5) + sqlite3_column_int64(pointer, 6)
    bytes += Int64(sqlite3_column_double(pointer, 7))
    let email = sqlite3_column_text(pointer, 8)
    bytes += Int64(sqlite3_column_bytes(pointer, 8))
    let isComplete = name != nil && surname != nil && email != nil && bytes != 0
    return isComplete ? Double(age) + salary + Double(length) : 0
  }

  private func keys(_ sql: String) throws -> Double {
    let statement = try connection.statement(sql)
    var watch = Stopwatch()
    use(
      try watch.time {
        var keys: [Int64] = []
        while try statement.step() { keys.append(sqlite3_column_int64(statement.pointer, 0)) }
        return keys
      })
    return watch.seconds
  }

  private func sections() throws -> Double {
    let statement = try connection.statement(
      "SELECT position, count(*) FROM Employee GROUP BY position ORDER BY position")
    var watch = Stopwatch()
    use(
      try watch.time {
        var sections: [(position: Int64, count: Int64)] = []
        while try statement.step() {
          sections.append(
            (
              sqlite3_column_int64(statement.pointer, 0),
              sqlite3_column_int64(statement.pointer, 1)
            ))
        }
        return sections
      })
    return watch.seconds
  }

  private func change(_ sql: String) throws -> Double {
    let statement = try connection.statement(sql)
    var watch = Stopwatch()
    try watch.time { try statement.run() }
    return watch.seconds
  }

  private func keysAndSections() throws -> Double {
    let statement = try connection.statement(
      "SELECT _id, position FROM Employee ORDER BY position, surname, _id")
    var watch = Stopwatch()
    use(
      try watch.time {
        var keys: [Int64] = []
        var sections: [(position: Int64, count: Int)] = []
        while try statement.step() {
          keys.append(sqlite3_column_int64(statement.pointer, 0))
          let position = sqlite3_column_int64(statement.pointer, 1)
          if sections.last?.position != position { sections.append((position, 0)) }
          sections[sections.count - 1].count += 1
        }
        return (keys, sections)
      })
    return watch.seconds
  }

  /// Finds the places of single rows in the list of keys by binary search; seconds for one.
  private func searchPlaces() throws -> Double {
    let list = try connection.statement(
      "SELECT _id FROM Employee ORDER BY position, surname, _id")
    var keys: [Int64] = []
    while try list.step() { keys.append(sqlite3_column_int64(list.pointer, 0)) }
    let statement = try connection.statement(
      "SELECT position, surname FROM Employee WHERE _id = ?1")
    func value(of key: Int64) throws -> (Int64, String, Int64) {
      sqlite3_bind_int64(statement.pointer, 1, key)
      defer { sqlite3_reset(statement.pointer) }
      guard try statement.step() else { return (0, "", key) }
      return (
        sqlite3_column_int64(statement.pointer, 0),
        String(cString: sqlite3_column_text(statement.pointer, 1)), key
      )
    }
    var watch = Stopwatch()
    for number in 0..<MergeMeasurement.count {
      let key = MergeMeasurement.key(number, of: rows)
      let wanted = (Int64(number % 40), MergeMeasurement.surname(number), key)
      use(
        try watch.time {
          var low = 0
          var high = keys.count
          while low < high {
            let middle = (low + high) / 2
            if try value(of: keys[middle]) < wanted { low = middle + 1 } else { high = middle }
          }
          return low
        })
    }
    return watch.seconds / Double(MergeMeasurement.count)
  }

  private func forEachKey(
    _ sql: String, inTransaction: Bool, _ bind: (OpaquePointer, Int) -> Void
  ) throws -> Double {
    let statement = try connection.statement(sql)
    let keys = EmployeeValues.keys(of: rows)
    let reads = sqlite3_column_count(statement.pointer) > 0
    var watch = Stopwatch()
    use(
      try watch.time {
        var sum = 0.0
        if inTransaction { try connection.run(reads ? "BEGIN" : "BEGIN IMMEDIATE") }
        for (number, key) in keys.enumerated() {
          sqlite3_bind_int64(statement.pointer, 1, key)
          bind(statement.pointer, number)
          while try statement.step() { sum += Self.readRow(statement.pointer) }
          sqlite3_reset(statement.pointer)
        }
        if inTransaction { try connection.run("COMMIT") }
        return sum
      })
    return watch.seconds
  }
}

/// The single changes that the merging of is measured.
enum MergeMeasurement {
  static let count = 50

  static func key(_ number: Int, of rows: Int) -> Int64 {
    Int64(number * 7919 % rows) + 1
  }

  /// One that no row has yet, between those that are there.
  static func surname(_ number: Int) -> String { "Surname\(number * 397 % 20_000)x" }
}
