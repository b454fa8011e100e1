import Foundation
import GRDB

/// GRDB with records.
struct RecordContender: Contender {
  static let name = "GRDB records"

  private let pool: DatabasePool
  private let rows: Int

  init(file: URL, rows: Int) throws {
    pool = try DatabasePool(path: file.path)
    self.rows = rows
  }

  func close() throws { try pool.close() }

  func seconds(for work: Work) async throws -> Double? {
    try measure(work)
  }

  private func measure(_ work: Work) throws -> Double? {
    var watch = Stopwatch()
    switch work {
    case .createAndSave:
      for start in stride(from: 0, to: rows, by: 10_000) {
        let records = (start..<min(start + 10_000, rows)).map {
          EmployeeRecord(id: Int64($0 + 1), EmployeeValues(row: $0))
        }
        try watch.time {
          try pool.write { database in
            for record in records { try record.insert(database) }
          }
        }
      }
    case .fetchAll:
      use(
        try watch.time {
          let records = try pool.read { try EmployeeRecord.fetchAll($0) }
          var sum = 0.0
          for record in records {
            sum += Double(record.age) + record.salary + Double(record.name.utf8.count)
          }
          return (records, sum)
        })
    case .sortedKeys:
      use(
        try watch.time {
          try pool.read {
            try Int64.fetchAll($0, sql: "SELECT _id FROM Employee ORDER BY surname, _id")
          }
        })
    case .firstFifty:
      use(
        try watch.time {
          try pool.read {
            try EmployeeRecord.order(Column("salary").desc, Column("_id")).limit(50).fetchAll($0)
          }
        })
    case .filtered:
      use(
        try watch.time {
          try pool.read {
            try EmployeeRecord.filter(Column("salary") > EmployeeValues.highSalary).fetchAll($0)
          }
        })
    case .updateAndSave:
      var records = try pool.read { try EmployeeRecord.fetchAll($0, keys: keys) }
      try watch.time {
        try pool.write { database in
          for index in records.indices {
            records[index].salary += 1
            try records[index].update(database, columns: ["salary"])
          }
        }
      }
    case .deleteAndSave:
      let records = try pool.read { try EmployeeRecord.fetchAll($0, keys: keys) }
      try watch.time {
        try pool.write { database in
          for record in records { _ = try record.delete(database) }
        }
      }
    case .oneByOne:
      let keys = keys
      try watch.time {
        for key in keys { use(try pool.read { try EmployeeRecord.fetchOne($0, key: key) }) }
      }
    case .together:
      let keys = keys
      use(try watch.time { try pool.read { try EmployeeRecord.fetchAll($0, keys: keys) } })
    case .controllerList, .controllerMerge:
      return nil
    }
    return watch.seconds
  }

  private var keys: [Int64] { EmployeeValues.keys(of: rows) }

  func bytesPerObject() async throws -> Double? { try heldBytes() }

  private func heldBytes() throws -> Double {
    let before = Memory.allocatedBytes
    let records = try pool.read { try EmployeeRecord.fetchAll($0) }
    let after = Memory.allocatedBytes
    return Double(after - before) / Double(records.count)
  }
}
