import DatastoreExport
import SwiftDatastore

extension EffectRunner {
  /// Reads the indexes of the file and lays the schema out in lines.
  func readSchema() {
    let datastore = datastore
    perform { runner in
      let text = await Task.detached { () -> Result<SchemaText, CountFailure> in
        do {
          let stored = try datastore.storedEntities()
          return .success(
            SchemaText(
              SchemaOutline(
                entities: zip(datastore.schema.entities, stored).map { entity, stored in
                  EntityOutline(
                    entity.description, kind: stored.information.kind.rawValue,
                    indexes: stored.indexes, details: stored.details)
                })))
        } catch {
          return .failure(CountFailure(message: String(describing: error)))
        }
      }.value
      runner.send(.schemaRead(text))
    }
  }
}
