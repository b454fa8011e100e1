package import DatastoreCore
package import Foundation

/// What the store says of itself, and looking after it.
extension FarStore {
  package var isNative: Bool { description.isNative }

  package var schemaDifferences: [String] { description.schemaDifferences }

  package var modelNotes: [String] { description.modelNotes }

  package var modelRemarks: [String] { description.modelRemarks }

  package var isCoreData: Bool { description.isCoreData }

  package func changedProperties(_ bits: [UInt8], ofEntity number: Int64) -> [String] {
    (try? ask(ChangedPropertiesCall(bits: bits, entity: number))) ?? []
  }

  package func storeUUID() throws -> String? { description.uuid }

  package func migrationHistory() throws -> [MigrationRecord] { try ask(MigrationHistoryCall()) }

  package func information(about entity: Entity) -> EntityInformation {
    description.tables[entity.index].information
  }

  package func indexes(of entity: Entity) throws -> [IndexInformation] {
    try ask(IndexesCall(entity: entity.index))
  }

  package func tableDetails() throws -> ByEntity<TableDetails?> {
    let details = try ask(TableDetailsCall())
    guard details.count == schema.entities.count else {
      throw StoreError.connectionLost(
        server: name, detail: "it tells of other tables than before")
    }
    return details
  }

  package func allowedValues(of slot: Slot, in entity: Entity) -> [Value]? {
    description.tables[entity.index].properties[slot].allowedValues
  }

  package func slots(ofCheck constraint: String, in entity: Entity) -> [Slot] {
    let slots = (try? ask(CheckSlotsCall(constraint: constraint, entity: entity.index))) ?? []
    return slots.filter { entity.slots.contains($0) }
  }

  package func storedColumns(of slot: Slot, in entity: Entity) -> [AnswerColumn] {
    description.tables[entity.index].properties[slot].storedColumns
  }

  package func keyColumn(of entity: Entity) -> AnswerColumn? {
    description.tables[entity.index].keyColumn
  }

  package func referenceValues(
    of slot: Slot, in entity: Entity, keys: [RowKey]
  ) throws -> [RowKey: [Value]]? {
    try ask(ReferenceValuesCall(entity: entity.index, slot: slot, keys: FarKeys(keys)))
  }

  /// There is none here.
  package var url: URL? { nil }

  package func backUp(to url: URL) throws {
    throw StoreError.unsupportedPredicate(
      "\(name) is copied where it lies, for example with “sqlite3 FILE '.backup COPY'”; nothing was "
        + "copied.")
  }

  package func integrityFaults() throws -> [String] { try ask(IntegrityCall()) }

  package func checkpoint() throws -> Bool { try ask(CheckpointCall()) }

  package func addEntities(_ descriptions: [EntityDescription]) throws {
    _ = try ask(AddEntitiesCall(entities: descriptions))
  }

  package func indexReferencedColumns() throws { _ = try ask(IndexReferencesCall()) }

  package func removeEmptyEntities(_ names: [String]) throws {
    _ = try ask(RemoveEntitiesCall(names: names))
  }
}
