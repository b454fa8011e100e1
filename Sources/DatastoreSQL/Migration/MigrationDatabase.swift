package import DatastoreCore

/// The database that a migration reads and changes: one connection, inside the transaction of the migration.
package protocol MigrationDatabase {
  /// The rows of a short result.
  ///
  /// - Throws: the errors of the engine.
  func rows(_ sql: SQLFragment) throws -> [[Value]]

  /// Runs a statement, and returns the number of rows written.
  ///
  /// - Throws: the errors of the engine.
  @discardableResult func run(_ sql: SQLFragment) throws -> Int

  /// Prepares everything that statements with these values need.
  ///
  /// - Throws: the errors of the engine; `CancellationError`.
  func prepare(_ values: MigratedValues) throws

  /// The tables, views, indexes and all other named objects.
  ///
  /// - Throws: the errors of the engine.
  func namedObjects() throws -> [(kind: String, name: String)]

  /// The names of the engine's objects besides the tables of a mapping and their indexes, in lower case.
  func namesBesideTables(of mapping: SchemaMapping) -> Set<String>

  /// A store over the tables inside the transaction. Used until that ends, on the same thread.
  func store(_ mapping: SchemaMapping) -> any StoreEngine
}

extension MigrationDatabase {
  /// The first value of the first row, as a count; 0 if there is none.
  package func count(_ sql: SQLFragment) throws -> Int {
    guard case .integer(let count)? = try rows(sql).first?.first else { return 0 }
    return Int(count)
  }
}

/// The SQL of an engine for migrations, where engines differ.
package protocol MigrationDialect: Sendable {
  /// The greatest number of columns to drop in place.
  var mostDroppedColumns: Int { get }
  /// Whether dropping a column rewrites all rows.
  var dropsByWriting: Bool { get }
  /// The conversion of stored values from one type to another.
  ///
  /// - Parameters:
  ///   - column: the column with the old value.
  ///   - place: the attribute of the new value.
  func conversion(
    _ conversion: AttributeConversion, of column: SQLFragment, for place: MigratedPlace
  ) -> ConversionSQL
  /// The initial value that the model makes for an object without one.
  func initialValue(for place: MigratedPlace) -> SQLFragment
  /// A value of an attribute type.
  func constant(_ value: Value, of type: AttributeType) -> SQLFragment
}

/// An attribute of a row that becomes a row of another entity.
package struct MigratedPlace: Sendable {
  /// The old entity; nil if the row has no source.
  package let source: EntityIndex?
  /// The new entity, and the slot of the attribute in it.
  package let entity: EntityIndex
  package let slot: Slot
  /// The key of the row of the old table.
  package let key: SQLFragment
}

package struct ConversionSQL: Sendable {
  /// The new value.
  package let value: SQLFragment
  /// The condition that a value, which is not NULL, does not fit; nil if all do.
  package let isMisfit: SQLFragment?

  package init(_ value: SQLFragment, isMisfit: SQLFragment? = nil) {
    self.value = value
    self.isMisfit = isMisfit
  }
}
