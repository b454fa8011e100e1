package import DatastoreCore

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

/// What the file itself says, beyond what the schema holds.
extension SwiftDatastore {
  /// Whether the keys of an entity are those of the file, and not numbers given by this store.
  package func hasRowids(_ entity: Entity) -> Bool {
    coordinator.store.information(about: entity).hasRowids
  }

  /// What the store calls the tables of its entities, by entity. Asks nobody.
  package var entityKinds: ByEntity<EntityInformation.Kind> {
    ByEntity(schema.entities.map { coordinator.store.information(about: $0).kind })
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
}
