package import DatastoreCore
import Foundation

/// In what two schemas differ, for programs.
package enum SchemaChangesText {
  private struct Change: Encodable {
    let entity: String
    let property: String?
    let kind: String
    let change: String
  }

  /// A list of objects with the members `entity`, `property` (absent where a change is about an entity), `kind`, which
  /// is what it costs, and `change`, a sentence.
  package static func json(_ changes: [SchemaChange]) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let list = changes.map {
      Change(
        entity: $0.entity, property: $0.property, kind: $0.kind.description,
        change: $0.description)
    }
    // Texts only, which can always be written.
    guard let data = try? encoder.encode(list) else { return "[]\n" }
    return String(decoding: data, as: UTF8.self) + "\n"
  }
}
