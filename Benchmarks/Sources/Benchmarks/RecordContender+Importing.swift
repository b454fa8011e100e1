import GRDB

struct MemberRecord: PersistableRecord {
  static let databaseTableName = "Member"

  let number: Int
  let values: EmployeeValues

  func encode(to container: inout PersistenceContainer) {
    container["number"] = number
    container["name"] = values.name
    container["surname"] = values.surname
    container["age"] = values.age
    container["salary"] = values.salary
    container["email"] = values.email
  }
}

extension RecordContender {
  /// - Parameter there: how many of them are written before, off the clock, with other values.
  func upsertMembers(_ count: Int, there: Int) throws -> Double {
    func upsert(_ count: Int, of kind: Int) throws {
      try pool.write { database in
        for number in 0..<count {
          try MemberRecord(number: number, values: EmployeeValues(row: number + kind))
            .upsert(database)
        }
      }
    }
    if there > 0 { try upsert(there, of: 0) }
    var watch = Stopwatch()
    try watch.time { try upsert(count, of: 1) }
    return watch.seconds
  }
}
