import DatastoreCore
import DatastoreExport
import SwiftDatastore

extension Lane {
  static let schemaText = Lane("schema text", .latest)
}

extension Effect {
  /// Reads the indexes of the file and lays out the schema, after some edits, in lines.
  static func readSchema(_ edits: [SchemaEdit]) -> Effect {
    .answer(in: .schemaText) { runner in
      let datastore = runner.datastore
      return try await BlockingWork.run { () throws -> SchemaText in
        let stored = try datastore.storedEntities()
        var outline = try SchemaOutline(
          entities: zip(datastore.schema.entities, stored).map { entity, stored in
            EntityOutline(
              entity.description, kind: stored.information.kind.rawValue,
              indexes: stored.indexes, details: stored.details)
          }
        ).applying(edits)
        outline.differences = datastore.schemaDifferences
        outline.notes = datastore.modelNotes
        outline.remarks = datastore.modelRemarks
        outline.migrations = try datastore.migrationHistory()
        return SchemaText(outline)
      }
    } as: {
      SchemaRead(text: $0)
    }
  }
}

struct SchemaRead: BrowserEvent {
  let text: Result<SchemaText, EffectFailure>

  func apply(to state: inout BrowserState) {
    state.changeSchema { $0.apply(text, size: $1) }
  }
}
