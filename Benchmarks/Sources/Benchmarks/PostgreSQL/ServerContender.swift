#if PostgreSQL

/// One way of using PostgreSQL. A new one is made for every measurement, with connections of its own.
protocol ServerContender: SendableMetatype {
  static var name: String { get }

  /// Connects to a database; off the clock.
  init(database: String, rows: Int) throws

  /// Has everything there that a program that runs for a while has; off the clock.
  func prepare(for work: ServerWork) async throws

  /// Does the work and returns the seconds it took, without what had to be there before.
  @MainActor func seconds(for work: ServerWork) async throws -> Double

  /// Disconnects; off the clock.
  func close() throws
}

/// The rows of the save of mixed changes.
struct MixedSave {
  /// Those whose salary and age are changed.
  let raised: [Int64]
  /// Those whose surname is changed.
  let renamed: [Int64]
  let deleted: [Int64]
  let new: [EmployeeValues]

  init(rows: Int) {
    let keys = (0..<6_000).map { Int64($0 * (rows / 6_000)) + 1 }
    raised = Array(keys[..<2_000])
    renamed = Array(keys[2_000..<4_000])
    deleted = Array(keys[4_000...])
    new = (0..<4_000).map { EmployeeValues(row: rows + $0) }
  }
}
#endif
