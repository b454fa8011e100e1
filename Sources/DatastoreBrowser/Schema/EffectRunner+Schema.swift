import DatastoreCore
import DatastoreExport
import SwiftDatastore

extension Effect {
  /// Reads the indexes of the file and lays out the schema, after some edits, in lines.
  static func readSchema(_ edits: [SchemaEdit]) -> Effect {
    .answer(in: Lane("schema text", .latest)) { runner in
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
    } then: { (state: inout BrowserState, text: Result<SchemaText, EffectFailure>) in
      state.changeSchema { $0.apply(text, size: $1) }
    }
  }
}
