package import DatastoreCore

/// The database that a migration looks into and changes: one connection, inside of the transaction that does
/// it.
package protocol MigrationDatabase {
  /// The rows of an answer that is short.
  ///
  /// - Throws: what the engine reports.
  func rows(_ sql: SQLFragment) throws -> [[Value]]

  /// Runs a statement, and returns how many rows it has written.
  ///
  /// - Throws: what the engine reports.
  @discardableResult func run(_ sql: SQLFragment) throws -> Int

  /// Gets ready what statements with these values ask for.
  ///
  /// - Throws: what the engine reports; `CancellationError`.
  func prepare(_ values: MigratedValues) throws

  /// The tables, views, indexes and whatever else has a name of its own.
  ///
  /// - Throws: what the engine reports.
  func namedObjects() throws -> [(kind: String, name: String)]

  /// What the engine keeps beside the tables of a mapping and their indexes, in lower case.
  func namesBesideTables(of mapping: SchemaMapping) -> Set<String>

  /// A store over tables as they are inside of the transaction. Used until that ends, on the same thread.
  func store(_ mapping: SchemaMapping) -> any StoreEngine
}

extension MigrationDatabase {
  /// The first value of the first row, which counts something; 0 without one.
  package func count(_ sql: SQLFragment) throws -> Int {
    guard case .integer(let count)? = try rows(sql).first?.first else { return 0 }
    return Int(count)
  }
}

/// What engines say differently while they migrate.
package protocol MigrationDialect: Sendable {
  /// More columns than this are not dropped in place.
  var mostDroppedColumns: Int { get }
  /// Whether all rows are written when a column is dropped.
  var dropsByWriting: Bool { get }
  /// How stored values of one type become values of another.
  ///
  /// - Parameters:
  ///   - column: the column that holds the old value.
  ///   - place: whose new value it is.
  func conversion(
    _ conversion: AttributeConversion, of column: SQLFragment, for place: MigratedPlace
  ) -> ConversionSQL
  /// What the model makes for an object that has no value.
  func initialValue(for place: MigratedPlace) -> SQLFragment
  /// A value of a type of attributes.
  func constant(_ value: Value, of type: AttributeType) -> SQLFragment
}

/// An attribute of a row that becomes a row of another entity.
package struct MigratedPlace: Sendable {
  /// The old entity; nil where the row comes from nowhere.
  package let source: EntityIndex?
  /// The new entity, and the slot of the attribute in it.
  package let entity: EntityIndex
  package let slot: Slot
  /// The key of the row of the old table.
  package let key: SQLFragment
}

/// A conversion of values as SQL.
package struct ConversionSQL: Sendable {
  /// The new value.
  package let value: SQLFragment
  /// That a value, which is not NULL, does not fit; nil where all do.
  package let isMisfit: SQLFragment?

  package init(_ value: SQLFragment, isMisfit: SQLFragment? = nil) {
    self.value = value
    self.isMisfit = isMisfit
  }
}
