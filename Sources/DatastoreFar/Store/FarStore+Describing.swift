package import DatastoreCore
package import Foundation

/// Descriptions of the store, and its maintenance.
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

  package func pairTable(of slot: Slot, in entity: Entity) -> PairTable? {
    description.tables[entity.index].properties[slot].pairs
  }

  package func keyColumn(of entity: Entity) -> AnswerColumn? {
    description.tables[entity.index].keyColumn
  }

  package func referenceValues(
    of slot: Slot, in entity: Entity, keys: [RowKey]
  ) throws -> [RowKey: [Value]]? {
    try ask(ReferenceValuesCall(entity: entity.index, slot: slot, keys: FarKeys(keys)))
  }

  /// A store elsewhere has no local file.
  package var url: URL? { nil }

  /// Copies the file to this machine in its state at one moment.
  package func backUp(to url: URL) throws { try backUp(to: url) { _, _ in } }

  /// Copies the file to this machine, and reports progress.
  ///
  /// - Parameter progress: receives the numbers of copied bytes and of all bytes.
  /// - Throws: `StoreError`; errors of `progress`. A copy that fails leaves nothing behind.
  package func backUp(
    to url: URL, _ progress: (_ done: Int, _ total: Int) throws -> Void
  ) throws {
    let line = line
    var file: FarReceivedFile?
    var (done, isWhole) = (0, false)
    _ = try line.call(CopyOutCall()) { part in
      let part = try line.decode(FarFilePart.self, part)
      let receiving = try file ?? FarReceivedFile(at: url.path)
      file = receiving
      isWhole = try receiving.add(part)
      done += part.bytes.data.count
      try progress(done, part.total)
    }
    guard isWhole else {
      throw StoreError.connectionLost(server: name, detail: "the file came in part only")
    }
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
