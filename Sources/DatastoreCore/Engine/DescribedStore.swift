/// A store that says how its entities are stored, beyond what the schema holds: for browsers, and for those
/// who write rows elsewhere.
package protocol DescribedStore: ObjectStore {
  /// Whether its tables were made by this library.
  var isNative: Bool { get }

  /// What other tools have made otherwise than one of our own stores says of itself, each the end of a
  /// sentence.
  var schemaDifferences: [String] { get }

  /// What could not be read of a model that it has, so that less is known of its entities: sentences.
  var modelNotes: [String] { get }

  /// What such a model says beyond entities and properties, such as requests that it keeps: sentences without
  /// their full stops.
  var modelRemarks: [String] { get }

  /// The properties that a change in the history of a Core Data store was of, by the bits that it keeps of
  /// them.
  func changedProperties(_ bits: [UInt8], ofEntity number: Int64) -> [String]

  /// Whether Core Data has made it, so that it cannot be changed however it is opened.
  var isCoreData: Bool { get }

  /// What distinguishes one of our own stores, and copies of it, from all others; nil for others. Reads the
  /// store.
  ///
  /// - Throws: `StoreError`.
  func storeUUID() throws -> String?

  /// The migrations of one of our own stores, oldest first; none for others. Reads the store.
  ///
  /// - Throws: `StoreError`.
  func migrationHistory() throws -> [MigrationRecord]

  /// What the store calls an entity, and what its keys are. O(1).
  func information(about entity: Entity) -> EntityInformation

  /// The indexes of an entity's table that have been made by name, not by a constraint. Reads the store.
  ///
  /// - Throws: `StoreError`.
  func indexes(of entity: Entity) throws -> [IndexInformation]

  /// By entity, what a third-party store says of its table or view; nil for entities of our own stores. Reads
  /// the store.
  ///
  /// - Throws: `StoreError`.
  func tableDetails() throws -> ByEntity<TableDetails?>

  /// The values that the table's declaration allows for an attribute by `CHECK (column IN (…))`, in its
  /// order; nil where it does not say so.
  func allowedValues(of slot: Slot, in entity: Entity) -> [Value]?

  /// The slots that a CHECK constraint is about, by its name or its condition as errors report it.
  func slots(ofCheck constraint: String, in entity: Entity) -> [Slot]

  /// The columns that hold a property: one for an attribute, those of the reference for a to-one
  /// relationship, none for a to-many one.
  func storedColumns(of slot: Slot, in entity: Entity) -> [AnswerColumn]

  /// The column of the key, where it is not a property: in tables of our own.
  func keyColumn(of entity: Entity) -> AnswerColumn?

  /// What the columns of a to-one relationship hold for the rows with those keys, by key; nil when that is
  /// the key itself. Keys of missing rows represent the stored values.
  ///
  /// - Throws: `StoreError`.
  func referenceValues(of slot: Slot, in entity: Entity, keys: [RowKey]) throws -> [RowKey:
    [Value]]?
}

extension DescribedStore {
  /// Only files of other programs have models that may not be understood.
  package var modelNotes: [String] { [] }

  package var modelRemarks: [String] { [] }

  package func changedProperties(_ bits: [UInt8], ofEntity number: Int64) -> [String] { [] }
}
