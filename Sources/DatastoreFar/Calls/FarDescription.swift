import DatastoreCore
import Foundation

/// The far end's description of an open store: everything that is needed too often to ask for it each time.
package struct FarDescription: Codable, Sendable {
  struct Property: Codable, Sendable {
    let isKeyPart: Bool
    let countsQuickly: Bool
    let storedColumns: [AnswerColumn]
    let pairs: PairTable?
    let allowedValues: [Value]?
  }

  struct Table: Codable, Sendable {
    let information: EntityInformation
    let keySlot: Slot?
    let keyColumn: AnswerColumn?
    let mayMoveRows: Bool
    let properties: BySlot<Property>
  }

  /// The version of the protocol that the far end speaks.
  let version: Int
  /// The path of the store at the far end.
  let path: String
  let model: FarModel
  let tables: ByEntity<Table>
  let isReadOnly: Bool
  let isNative: Bool
  let isCoreData: Bool
  let schemaDifferences: [String]
  let modelNotes: [String]
  let modelRemarks: [String]
  let snapshotRefusal: String
  let uuid: String?
  /// The process of the far end.
  let process: FarProcess?

  init(_ store: any StoreEngine) throws {
    let schema = store.schema
    version = FarOptions.version
    path = store.url?.path ?? "the store in memory"
    model = FarModel(schema)
    isReadOnly = store.isReadOnly
    isNative = store.isNative
    isCoreData = store.isCoreData
    schemaDifferences = store.schemaDifferences
    modelNotes = store.modelNotes
    modelRemarks = store.modelRemarks
    snapshotRefusal = store.snapshotRefusal
    uuid = try store.storeUUID()
    process = FarProcess()
    tables = ByEntity(
      schema.entities.map { entity in
        Table(
          information: store.information(about: entity),
          keySlot: store.keySlot(of: entity.index), keyColumn: store.keyColumn(of: entity),
          mayMoveRows: store.mayMoveRows(entity: entity.index),
          properties: BySlot(
            entity.slots.map { slot in
              Property(
                isKeyPart: store.isKeyPart(entity: entity.index, slot: slot),
                countsQuickly: store.countsQuickly(entity: entity.index, slot: slot),
                storedColumns: store.storedColumns(of: slot, in: entity),
                pairs: store.pairTable(of: slot, in: entity),
                allowedValues: store.allowedValues(of: slot, in: entity))
            }))
      })
  }

  /// Whether another description has the same tables, so that values read before remain valid.
  func isSame(as other: FarDescription) -> Bool {
    model == other.model && uuid == other.uuid && path == other.path
  }

  /// The schema, if the description is consistent.
  ///
  /// - Throws: `FarLineFault`.
  func checkedSchema() throws -> Schema {
    let schema: Schema
    do {
      schema = try model.schema
    } catch {
      throw FarLineFault("the tables that the other end tells of do not fit together: \(error)")
    }
    let fits =
      tables.count == schema.entities.count
      && schema.entities.allSatisfy { entity in
        let table = tables[entity.index]
        return table.properties.count == entity.slots.count
          && table.keySlot.map { entity.slots.contains($0) } ?? true
      }
    guard fits else { throw FarLineFault("what the other end tells of its tables does not fit") }
    return schema
  }
}

/// The first call on a line: opens the store.
package struct OpenCall: FarCall {
  let options: FarOptions

  package func answer(in work: FarWork) throws -> FarDescription {
    guard options.version == FarOptions.version else {
      throw FarLineFault(
        "the other program speaks version \(options.version) of the protocol, and this one version "
          + "\(FarOptions.version); install the same datastore at both ends")
    }
    return try FarDescription(work.session.open(options))
  }
}
