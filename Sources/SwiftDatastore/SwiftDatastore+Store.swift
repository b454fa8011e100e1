import Basics
public import DatastoreCore
import DatastoreSQLite
package import Foundation

extension SwiftDatastore {
  /// Relationships that the file does not declare, but names and values suggest. Reads the file; interrupted
  /// when the task is cancelled.
  ///
  /// - Throws: `StoreError`; `CancellationError`.
  package func suggestedRelationships() async throws -> [RelationshipSuggestion] {
    try await coordinator.store.answer(SuggestionsQuestion())
  }

  /// The annotations of the file when it was opened.
  package var annotations: SchemaAnnotations? { options.annotations }
}

/// Values that programs of Apple's systems have archived.
extension SwiftDatastore {
  /// What an archive or a binary property list holds, as the lines of a tree; nil for other bytes. No class
  /// that it names is looked for. Any thread; O(bytes).
  package static func outline(ofArchive data: Data) -> [String]? { ArchiveOutline(data)?.lines }
}

/// What the file itself says, beyond what the schema holds.
extension SwiftDatastore {
  /// Whether the keys of an entity are those of the file, and not numbers given by this store.
  package func hasRowids(_ entity: Entity) -> Bool {
    coordinator.store.information(about: entity).hasRowids
  }

  /// What the store calls the tables of its entities, by entity. Reads nothing.
  package var entityKinds: ByEntity<EntityInformation.Kind> {
    ByEntity(schema.entities.map { coordinator.store.information(about: $0).kind })
  }

  /// What is known to fail when objects are saved, by entity. Reads nothing.
  package var refusedWrites: ByEntity<RefusedWrites> {
    ByEntity(schema.entities.map { coordinator.store.information(about: $0).refusedWrites })
  }

  /// By entity: what the file calls it, and the indexes of its table. Any thread; reads the file.
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
  /// Whether another process has changed the tables since it was opened.
  package func haveTablesChanged() throws -> Bool { try coordinator.store.haveTablesChanged() }

  /// Whether nothing can be saved because the file was opened for reading only.
  package var isReadOnly: Bool { coordinator.store.isReadOnly }

  /// Whether it is a store of Core Data, which cannot be changed however it is opened.
  package var isCoreData: Bool { coordinator.store.isCoreData }

  /// What other tools have made otherwise than the store says of itself, each the end of a sentence.
  package var schemaDifferences: [String] { coordinator.store.schemaDifferences }
  /// What could not be read of a model that a third-party store has, as sentences.
  package var modelNotes: [String] { coordinator.store.modelNotes }
  /// What such a model says beyond entities and properties.
  package var modelRemarks: [String] { coordinator.store.modelRemarks }

  /// The properties that a change in the history of a Core Data store changed. Reads nothing.
  package func changedProperties(_ bits: [UInt8], ofEntity number: Int64) -> [String] {
    coordinator.store.changedProperties(bits, ofEntity: number)
  }
}

extension SwiftDatastore {
  /// What saving objects of an entity is known to fail at: its table may have triggers or indexes that call
  /// functions which only the program has that made the file, as those of GeoPackage and SpatiaLite do.
  ///
  /// Found when a third-party file is opened for writing; empty for stores of our own and for servers. Any
  /// thread. O(1) in the rows.
  ///
  /// - Parameter name: the name of the entity; traps when the schema has none of that name.
  public func refusedWrites(ofEntity name: String) -> RefusedWrites {
    guard let entity = schema.entity(named: name) else { trap("there is no entity “\(name)”") }
    return coordinator.store.information(about: entity).refusedWrites
  }
}
