import Basics
public import DatastoreCore
import DatastoreSQLite
package import Foundation

extension SwiftDatastore {
  /// Relationships that the file does not declare, but that its names and values suggest. Reads the file.
  /// Cancelling the task interrupts it.
  ///
  /// - Throws: `StoreError`; `CancellationError`.
  package func suggestedRelationships() async throws -> [RelationshipSuggestion] {
    try await coordinator.store.answer(SuggestionsQuestion())
  }

  /// The annotations of the file when it was opened.
  package var annotations: SchemaAnnotations? { options.annotations }
}

/// Archives written by programs on Apple's systems.
extension SwiftDatastore {
  /// The content of an archive or a binary property list as the lines of a tree; nil for other bytes. Does
  /// not look up any class that the archive names. Any thread; O(bytes).
  package static func outline(ofArchive data: Data) -> [String]? { ArchiveOutline(data)?.lines }
}

/// Facts about the file that its schema does not hold.
extension SwiftDatastore {
  /// Whether the keys of an entity are rowids in the file, and not numbers that this store assigns.
  package func hasRowids(_ entity: Entity) -> Bool {
    coordinator.store.information(about: entity).hasRowids
  }

  /// The kind of each entity's table, by entity. Reads nothing.
  package var entityKinds: ByEntity<EntityInformation.Kind> {
    ByEntity(schema.entities.map { coordinator.store.information(about: $0).kind })
  }

  /// The writes that are known to fail, by entity. Reads nothing.
  package var refusedWrites: ByEntity<RefusedWrites> {
    ByEntity(schema.entities.map { coordinator.store.information(about: $0).refusedWrites })
  }

  /// The store's description of each entity, and the indexes of its table, by entity. Any thread; reads the
  /// file.
  ///
  /// - Throws: `StoreError`.
  package func storedEntities() throws -> [(
    information: EntityInformation, indexes: [IndexInformation],
    details: TableDetails?
  )] {
    let store = coordinator.store
    let details = try store.tableDetails()
    return try store.schema.entities.map {
      (store.information(about: $0), try store.indexes(of: $0), details[$0.index])
    }
  }
}

extension SwiftDatastore {
  /// Whether another process has changed the tables since the store was opened.
  package func haveTablesChanged() throws -> Bool { try coordinator.store.haveTablesChanged() }

  /// Whether saving fails because the file was opened read-only.
  package var isReadOnly: Bool { coordinator.store.isReadOnly }

  /// Whether its tables are those of this library.
  package var isNative: Bool { coordinator.store.isNative }

  /// Whether this is a Core Data store, which cannot be changed however it is opened.
  package var isCoreData: Bool { coordinator.store.isCoreData }

  /// Changes by other tools that contradict the schema recorded in the store, each the end of a sentence.
  package var schemaDifferences: [String] { coordinator.store.schemaDifferences }
  /// The parts of a third-party store's model that could not be read, as sentences.
  package var modelNotes: [String] { coordinator.store.modelNotes }
  /// The content of such a model beyond entities and properties.
  package var modelRemarks: [String] { coordinator.store.modelRemarks }

  /// The properties that a change in the history of a Core Data store affects. Reads nothing.
  package func changedProperties(_ bits: [UInt8], ofEntity number: Int64) -> [String] {
    coordinator.store.changedProperties(bits, ofEntity: number)
  }
}

extension SwiftDatastore {
  /// The writes that are known to fail for objects of an entity: its table may have triggers or indexes that
  /// call functions of the program that made the file, as in GeoPackage and SpatiaLite.
  ///
  /// Determined when a third-party file is opened for writing; empty for native files and servers. Any
  /// thread. O(1) in the rows.
  ///
  /// - Parameter name: the name of the entity; traps when the schema has no such entity.
  public func refusedWrites(ofEntity name: String) -> RefusedWrites {
    guard let entity = schema.entity(named: name) else { trap("there is no entity “\(name)”") }
    return coordinator.store.information(about: entity).refusedWrites
  }
}
