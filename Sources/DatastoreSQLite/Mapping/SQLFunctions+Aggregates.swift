import DatastoreCore
import GRDB
import GRDBSQLite

/// `datastore_sum(value)` and `datastore_average(value)`: SQLite's own functions read text as numbers and
/// fail on overflow, unlike the evaluation in memory. `datastore_least(decimal)` and
/// `datastore_greatest(decimal)`: the stored value that is the least or the greatest as a number.
extension SQLFunctions {
  /// The state of one run of an aggregate.
  private final class Accumulator {
    var value: AggregateAccumulator

    init(_ aggregate: Predicate.Aggregate) {
      // Extremes of other values are SQLite's own.
      value = AggregateAccumulator(aggregate, ofDecimals: true)
    }
  }

  static func registerAggregates(in database: Database) throws {
    try added(
      sqlite3_create_function_v2(
        database.sqliteConnection, "datastore_sum", 1, flags, nil, nil,
        { SQLFunctions.add(.sum, $0, $2) }, { SQLFunctions.finish(.sum, $0) }, nil))
    try added(
      sqlite3_create_function_v2(
        database.sqliteConnection, "datastore_average", 1, flags, nil, nil,
        { SQLFunctions.add(.average, $0, $2) }, { SQLFunctions.finish(.average, $0) }, nil))
    try added(
      sqlite3_create_function_v2(
        database.sqliteConnection, "datastore_least", 1, flags, nil, nil,
        { SQLFunctions.add(.minimum, $0, $2) }, { SQLFunctions.finish(.minimum, $0) }, nil))
    try added(
      sqlite3_create_function_v2(
        database.sqliteConnection, "datastore_greatest", 1, flags, nil, nil,
        { SQLFunctions.add(.maximum, $0, $2) }, { SQLFunctions.finish(.maximum, $0) }, nil))
  }

  /// The accumulator that SQLite keeps a pointer to; created at the first row.
  private static func slot(
    _ context: OpaquePointer?, makes: Bool
  ) -> UnsafeMutablePointer<Unmanaged<Accumulator>?>? {
    sqlite3_aggregate_context(
      context, makes ? Int32(MemoryLayout<Unmanaged<Accumulator>?>.size) : 0
    )?.assumingMemoryBound(to: Unmanaged<Accumulator>?.self)
  }

  private static func add(
    _ aggregate: Predicate.Aggregate, _ context: OpaquePointer?,
    _ values: Values
  ) {
    guard let values, let slot = slot(context, makes: true) else {
      return sqlite3_result_error_nomem(context)
    }
    // SQLite provides zeroed memory, which is a nil reference.
    let accumulator = slot.pointee ?? .passRetained(Accumulator(aggregate))
    slot.pointee = accumulator
    accumulator.takeUnretainedValue().value.add(value(values[0]))
  }

  private static func finish(_ aggregate: Predicate.Aggregate, _ context: OpaquePointer?) {
    guard let slot = slot(context, makes: false), let accumulator = slot.pointee else {
      return result(AggregateAccumulator(aggregate).result, context)
    }
    result(accumulator.takeRetainedValue().value.result, context)
    slot.pointee = nil
  }
}
