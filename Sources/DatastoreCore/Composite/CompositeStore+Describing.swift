package import Foundation

/// Describing and maintaining the stores.
extension CompositeStore {
  /// The file, if there is one store.
  package var url: URL? {
    let all = all
    return all.count == 1 ? all[0].store.url : nil
  }

  package var isNative: Bool { all.allSatisfy(\.store.isNative) }

  package var schemaDifferences: [String] { all.flatMap(\.store.schemaDifferences) }

  package var modelNotes: [String] { all.flatMap(\.store.modelNotes) }

  package var modelRemarks: [String] { all.flatMap(\.store.modelRemarks) }

  package func changedProperties(_ bits: [UInt8], ofEntity number: Int64) -> [String] {
    all.lazy.map { $0.store.changedProperties(bits, ofEntity: number) }.first { !$0.isEmpty } ?? []
  }

  package var isCoreData: Bool { all.contains(where: \.store.isCoreData) }

  /// The UUID of a single store: several have no name in common.
  package func storeUUID() throws -> String? {
    let all = all
    return all.count == 1 ? try all[0].store.storeUUID() : nil
  }

  /// The migrations of all stores, oldest first.
  package func migrationHistory() throws -> [MigrationRecord] {
    try all.flatMap { try $0.store.migrationHistory() }.sorted { $0.date < $1.date }
  }

  package func information(about entity: Entity) -> EntityInformation {
    holder(of: entity.index)?.store.information(about: entity)
      ?? EntityInformation(
        kind: .table, table: entity.name, declaration: nil, isReadOnly: true, hasRowids: true)
  }

  package func indexes(of entity: Entity) throws -> [IndexInformation] {
    try part(entity.index).store.indexes(of: entity)
  }

  package func tableDetails() throws -> ByEntity<TableDetails?> {
    var details = ByEntity<TableDetails?>(repeating: nil, count: schema.entities.count)
    for part in all {
      let own = try part.store.tableDetails()
      for entity in part.entities { details[entity] = own[entity] }
    }
    return details
  }

  package func allowedValues(of slot: Slot, in entity: Entity) -> [Value]? {
    holder(of: entity.index)?.store.allowedValues(of: slot, in: entity)
  }

  package func slots(ofCheck constraint: String, in entity: Entity) -> [Slot] {
    holder(of: entity.index)?.store.slots(ofCheck: constraint, in: entity) ?? []
  }

  package func storedColumns(of slot: Slot, in entity: Entity) -> [AnswerColumn] {
    holder(of: entity.index)?.store.storedColumns(of: slot, in: entity) ?? []
  }

  package func pairTable(of slot: Slot, in entity: Entity) -> PairTable? {
    holder(of: entity.index)?.store.pairTable(of: slot, in: entity)
  }

  package func keyColumn(of entity: Entity) -> AnswerColumn? {
    holder(of: entity.index)?.store.keyColumn(of: entity)
  }

  package func referenceValues(
    of slot: Slot, in entity: Entity, keys: [RowKey]
  ) throws -> [RowKey: [Value]]? {
    try part(entity.index).store.referenceValues(of: slot, in: entity, keys: keys)
  }

  package func backUp(to url: URL) throws {
    try only("A backup").backUp(to: url)
  }

  /// The faults of all stores, with the names of the files.
  package func integrityFaults() throws -> [String] {
    let all = all
    return try all.flatMap { part in
      try part.store.integrityFaults().map { all.count == 1 ? $0 : "\(part.name): \($0)" }
    }
  }

  package func checkpoint() throws -> Bool {
    var isComplete = true
    for part in all where try !part.store.checkpoint() { isComplete = false }
    return isComplete
  }

  package func addEntities(_ descriptions: [EntityDescription]) throws {
    try only("Adding entities").addEntities(descriptions)
  }

  package func indexReferencedColumns() throws {
    try only("Indexing columns").indexReferencedColumns()
  }

  package func removeEmptyEntities(_ names: [String]) throws {
    try only("Removing entities").removeEmptyEntities(names)
  }
}
