import Foundation
import GRDB

/// GRDB with records.
struct RecordContender: Contender {
  static let name = "GRDB records"

  let pool: DatabasePool
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
    case .createAndSave, .insertMany:
      let size = work == .insertMany ? rows : 10_000
      for start in stride(from: 0, to: rows, by: size) {
        let records = (start..<min(start + size, rows)).map {
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
      var records = try recordsOfKeys()
      try watch.time {
        try pool.write { database in
          for index in records.indices {
            records[index].salary += 1
            try records[index].update(database, columns: ["salary"])
          }
        }
      }
    case .deleteAndSave:
      let records = try recordsOfKeys()
      try watch.time {
        try pool.write { database in
          for record in records { _ = try record.delete(database) }
        }
      }
    case .sectionTable:
      use(
        try watch.time {
          try pool.read {
            try Row.fetchAll(
              $0,
              sql: "SELECT position, count(*) FROM Employee GROUP BY position ORDER BY position")
          }
        })
    case .updateMany:
      try watch.time {
        try pool.write {
          _ = try EmployeeRecord.filter(Column("salary") > EmployeeValues.tenthSalary)
            .updateAll($0, Column("age").set(to: 40))
        }
      }
    case .deleteMany:
      try watch.time {
        try pool.write {
          _ = try EmployeeRecord.filter(Column("salary") > EmployeeValues.tenthSalary).deleteAll($0)
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
    case .transactions:
      let keys = keys.prefix(Work.transactionCount)
      try watch.time {
        for key in keys {
          try pool.write { database in
            guard var record = try EmployeeRecord.fetchOne(database, key: key) else { return }
            record.salary += 1
            try record.update(database, columns: ["salary"])
          }
        }
      }
    case .findOrCreate:
      try watch.time {
        try pool.write { database in
          for number in 0..<Work.badgeCount
          where try BadgeRecord.filter(Column("number") == number).fetchOne(database) == nil {
            try BadgeRecord(number: number).insert(database)
          }
        }
      }
    case .importObjects, .importMore: return try upsertMembers(work.importCount, there: 0)
    case .upsert: return try upsertMembers(rows, there: rows / 2)
    case .controllerList, .controllerMerge:
      return nil
    }
    return watch.seconds
  }

  private var keys: [Int64] { EmployeeValues.keys(of: rows) }

  /// The records of the keys in their order, as everybody changes them.
  private func recordsOfKeys() throws -> [EmployeeRecord] {
    let records = try pool.read { try EmployeeRecord.fetchAll($0, keys: keys) }
    let byKey = Dictionary(uniqueKeysWithValues: records.map { ($0.id, $0) })
    return keys.compactMap { byKey[$0] }
  }

  func bytesPerObject() async throws -> Double? { try heldBytes() }

  private func heldBytes() throws -> Double {
    // Buffers that last are there when the second fetch is weighed.
    let first = try pool.read { try EmployeeRecord.fetchAll($0) }
    defer { use(first) }
    let before = Memory.allocatedBytes
    let records = try pool.read { try EmployeeRecord.fetchAll($0) }
    let after = Memory.allocatedBytes
    return Double(after - before) / Double(records.count)
  }
}
