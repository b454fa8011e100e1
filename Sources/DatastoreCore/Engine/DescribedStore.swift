import Basics

/// A store that describes how its entities are stored, beyond the schema: for browsers, and for copying rows
/// elsewhere.
package protocol DescribedStore: ObjectStore {
  /// Whether its tables were made by this library.
  var isNative: Bool { get }

  /// Changes by other tools that contradict the schema recorded in a native store, each the end of a
  /// sentence.
  var schemaDifferences: [String] { get }

  /// The parts of its model that could not be read, so that less is known of its entities: sentences.
  var modelNotes: [String] { get }

  /// The content of such a model beyond entities and properties, such as its fetch requests: sentences
  /// without their full stops.
  var modelRemarks: [String] { get }

  /// The properties that a change in the history of a Core Data store affects, by the bits recorded for it.
  func changedProperties(_ bits: [UInt8], ofEntity number: Int64) -> [String]

  /// Whether Core Data has made it, so that it cannot be changed however it is opened.
  var isCoreData: Bool { get }

  /// The UUID that distinguishes a native store and its copies from all others; nil for third-party stores.
  /// Reads the store.
  ///
  /// - Throws: `StoreError`.
  func storeUUID() throws -> String?

  /// The migrations of a native store, oldest first; empty for others. Reads the store.
  ///
  /// - Throws: `StoreError`.
  func migrationHistory() throws -> [MigrationRecord]

  /// The table and keys of an entity. O(1).
  func information(about entity: Entity) -> EntityInformation

  /// The indexes of an entity's table that were created by name, not by a constraint. Reads the store.
  ///
  /// - Throws: `StoreError`.
  func indexes(of entity: Entity) throws -> [IndexInformation]

  /// The details of third-party tables or views, by entity; nil for entities of native stores. Reads the
  /// store.
  ///
  /// - Throws: `StoreError`.
  func tableDetails() throws -> ByEntity<TableDetails?>

  /// The values that the table's declaration allows for an attribute by `CHECK (column IN (…))`, in its
  /// order; nil without such a constraint.
  func allowedValues(of slot: Slot, in entity: Entity) -> [Value]?

  /// The slots in a CHECK constraint, by its name or its condition as errors report it.
  func slots(ofCheck constraint: String, in entity: Entity) -> [Slot]

  /// The columns that hold a property: one for an attribute, those of the reference for a to-one
  /// relationship, none for a to-many one.
  func storedColumns(of slot: Slot, in entity: Entity) -> [AnswerColumn]

  /// The third-party table of pairs that holds a relationship; nil for all other properties.
  func pairTable(of slot: Slot, in entity: Entity) -> PairTable?

  /// The column of the key, if it is not a property: in native tables.
  func keyColumn(of entity: Entity) -> AnswerColumn?

  /// The values in the columns of a to-one relationship for the destination rows with the given keys, by key;
  /// nil when the key itself is stored. Keys of missing rows stand for the stored values.
  ///
  /// - Throws: `StoreError`.
  func referenceValues(of slot: Slot, in entity: Entity, keys: [RowKey]) throws -> [RowKey:
    [Value]]?
}

extension DescribedStore {
  /// Only third-party files have models that may not be understood.
  package var modelNotes: [String] { [] }

  package var modelRemarks: [String] { [] }

  package func changedProperties(_ bits: [UInt8], ofEntity number: Int64) -> [String] { [] }

  package func pairTable(of slot: Slot, in entity: Entity) -> PairTable? { nil }
}

/// A third-party table that only pairs the rows of two others.
package struct PairTable: Sendable, Hashable, Codable {
  /// One of its columns, and the column that it refers to.
  package struct End: Sendable, Hashable, Codable {
    package let column: String
    package let referenced: String

    package init(column: String, referenced: String) {
      self.column = column
      self.referenced = referenced
    }
  }

  package let table: String
  /// The end of the entity that has the relationship.
  package let own: End
  package let other: End

  package init(table: String, own: End, other: End) {
    self.table = table
    self.own = own
    self.other = other
  }
}

extension DescribedStore {
  /// The relationship that a table of pairs holds, and the table, whatever the case of letters in its name;
  /// nil if there is none.
  package func relationship(
    pairedIn table: String
  ) -> (link: RelationshipLink, pairs: PairTable)? {
    for entity in schema.entities {
      for link in entity.links.compactMap(\.self) {
        if let pairs = pairTable(of: link.slot, in: entity),
          pairs.table.caselessKey == table.caselessKey
        {
          return (link, pairs)
        }
      }
    }
    return nil
  }

  /// The path to the attribute that identifies the object of a to-one relationship, such as `country.code`;
  /// nil if no attribute does, and if the relationship is stored as something else than the number of a row.
  package func identifyingPath(of slot: Slot, in entity: Entity) -> [String]? {
    guard !isCoreData, let link = entity.links[slot], link.kind == .toOne else { return nil }
    let destination = schema.entities[link.destination]
    guard let key = destination.identifyingSlot, keyColumn(of: destination) != nil,
      storedColumns(of: slot, in: entity).allSatisfy({ column in
        column.storedName.flatMap { entity.description.aliases[$0] } == nil
      })
    else { return nil }
    return [link.description.name, destination.properties[key].name]
  }
}
