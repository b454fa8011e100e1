import GRDBSQLite

extension RawContender {
  /// - Parameter there: how many of them are written before, off the clock, with other values.
  func upsertMembers(_ count: Int, there: Int) throws -> Double {
    let statement = try connection.statement(
      """
      INSERT INTO Member (number, name, surname, age, salary, email) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      ON CONFLICT (number) DO UPDATE SET name = excluded.name, surname = excluded.surname,
      age = excluded.age, salary = excluded.salary, email = excluded.email
      """)
    func upsert(_ count: Int, of kind: Int) throws {
      try connection.run("BEGIN IMMEDIATE")
      for number in 0..<count {
        let values = EmployeeValues(row: number + kind)
        sqlite3_bind_int64(statement.pointer, 1, Int64(number))
        statement.bind(values.name, at: 2)
        statement.bind(values.surname, at: 3)
        sqlite3_bind_int64(statement.pointer, 4, Int64(values.age))
        sqlite3_bind_double(statement.pointer, 5, values.salary)
        statement.bind(values.email, at: 6)
        try statement.run()
      }
      try connection.run("COMMIT")
    }
    if there > 0 { try upsert(there, of: 0) }
    var watch = Stopwatch()
    try watch.time { try upsert(count, of: 1) }
    return watch.seconds
  }
}
