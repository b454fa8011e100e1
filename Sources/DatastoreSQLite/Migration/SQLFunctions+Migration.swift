import DatastoreCore
import GRDB
import GRDBSQLite

/// Functions in the statements of a migration, on its connections only.
extension SQLFunctions {
  /// Closures of the model that make initial values of new attributes.
  ///
  /// Sendable: never changed.
  private final class InitialValues: Sendable {
    let closures: [Int: [Int: @Sendable () -> Value]]

    init(_ values: ByEntity<[(Slot, @Sendable () -> Value)]>) {
      closures = Dictionary(
        uniqueKeysWithValues: values.elements.enumerated().map { entity, slots in
          (
            entity,
            Dictionary(slots.map { ($0.rawValue, $1) }, uniquingKeysWith: { first, _ in first })
          )
        })
    }
  }

  static func registerMigration(
    _ initialValues: ByEntity<[(Slot, @Sendable () -> Value)]>, in database: Database
  ) throws {
    let connection = database.sqliteConnection
    try added(
      sqlite3_create_function_v2(
        connection, "datastore_convert", 3, flags, nil, { SQLFunctions.convert($0, $1, $2) }, nil,
        nil, nil))
    // Not deterministic: each row gets a value of its own.
    try added(
      sqlite3_create_function_v2(
        connection, "datastore_initial", 2, SQLITE_UTF8 | SQLITE_DIRECTONLY,
        Unmanaged.passRetained(InitialValues(initialValues)).toOpaque(),
        { SQLFunctions.initial($0, $1, $2) }, nil, nil,
        { pointer in pointer.map { Unmanaged<InitialValues>.fromOpaque($0).release() } }))
  }

  /// `datastore_convert(value, from, to)`: the value as another type; NULL when it does not fit.
  private static func convert(_ context: OpaquePointer?, _ count: Int32, _ values: Values) {
    let types = AttributeType.allCases
    guard let values, count == 3,
      case let from = Int(sqlite3_value_int(values[1])), types.indices.contains(from),
      case let to = Int(sqlite3_value_int(values[2])), types.indices.contains(to),
      let converted = AttributeConversion(from: types[from], to: types[to]).convert(
        value(values[0]))
    else { return sqlite3_result_null(context) }
    result(converted, context)
  }

  /// `datastore_initial(entity, slot)`: the model's initial value for one more object.
  private static func initial(_ context: OpaquePointer?, _ count: Int32, _ values: Values) {
    guard let values, count == 2,
      let initials = sqlite3_user_data(context).map({
        Unmanaged<InitialValues>.fromOpaque($0).takeUnretainedValue()
      }),
      let make = initials.closures[Int(sqlite3_value_int(values[0]))]?[
        Int(sqlite3_value_int(values[1]))]
    else { return sqlite3_result_null(context) }
    result(make(), context)
  }
}
