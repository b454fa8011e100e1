import Basics
package import DatastoreCore
import Foundation

/// A migration forecast as JSON, for programs.
package enum ForecastJSON {
  private struct Forecast: Encodable {
    struct Entity: Encodable {
      let entity: String
      let kind: String
      let changes: [String]
      let rows: Int
      let rowsToWrite: Int
    }

    struct Loss: Encodable {
      let name: String
      let count: Int
      let isDeclared: Bool
      let loss: String
    }

    struct Space: Encodable {
      let logBytes: Int
      let copyBytes: Int
      let freeBytes: Int?
      let freeBytesForCopy: Int?
      let isEnough: Bool
    }

    let kind: String
    let steps: Int
    let entities: [Entity]
    let losses: [Loss]
    let obstacles: [String]
    let space: Space?
    let otherProcesses: [Int32]
  }

  /// The forecast as one object. `space` is absent if no space is needed, and the free space in it if the
  /// file system does not report any.
  package static func text(_ forecast: MigrationForecast) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let value = Forecast(
      kind: forecast.kind.description, steps: forecast.hasMigration ? forecast.stepCount : 0,
      entities: forecast.entities.map {
        Forecast.Entity(
          entity: $0.entity, kind: $0.kind.description, changes: $0.changes.map(\.description),
          rows: $0.rows, rowsToWrite: $0.rowsToWrite)
      },
      losses: forecast.losses.map {
        Forecast.Loss(
          name: $0.name, count: $0.count, isDeclared: $0.isDeclared, loss: $0.description)
      }, obstacles: forecast.obstacles.map(\.description),
      space: forecast.space.map {
        Forecast.Space(
          logBytes: $0.logBytes, copyBytes: $0.copyBytes, freeBytes: $0.freeBytes,
          freeBytesForCopy: $0.freeBytesForCopy, isEnough: $0.isEnough)
      }, otherProcesses: forecast.otherProcesses)
    // The value holds only texts and whole numbers, which always encode.
    guard let data = try? encoder.encode(value) else { return "{}\n" }
    return String(decoding: data, as: UTF8.self) + "\n"
  }
}

/// The differences of two schemas, for programs.
package enum SchemaChangesText {
  private struct Change: Encodable {
    let entity: String
    let property: String?
    let kind: String
    let change: String
    var from: String?
    var to: String?
  }

  /// The sentences, a line each, and the statements below those about definitions.
  package static func text(
    _ changes: [SchemaChange], _ definitions: [DefinitionDifference]
  ) -> String {
    let sentences = changes.map { "\($0)\n" }
    let differences = definitions.map { difference in
      difference.description.withoutTerminalControls + "\n"
        + lines("from", difference.old) + lines("to", difference.new)
    }
    return (sentences + differences).joined()
  }

  private static func lines(_ word: String, _ statement: String?) -> String {
    guard let statement else { return "" }
    var start = "  " + String((word + "    ").prefix(5))
    return statement.lines().map { line in
      defer { start = "       " }
      return start + String(line).withoutTerminalControls + "\n"
    }.joined()
  }

  /// A list of objects with the members `entity`, `property` (absent if the change is about an entity),
  /// `kind`, the cost of the change, and `change`, a sentence. What only statements show is of the kind
  /// `definition`, with the statements as `from` (absent if it is new) and `to` (absent if it is removed).
  package static func json(
    _ changes: [SchemaChange], _ definitions: [DefinitionDifference]
  ) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let list = changes.map {
      Change(
        entity: $0.entity, property: $0.property, kind: $0.kind.description,
        change: $0.description)
    }
    let differences = definitions.map {
      Change(
        entity: $0.table, property: nil, kind: "definition", change: $0.description, from: $0.old,
        to: $0.new)
    }
    // The list holds only texts, which always encode.
    guard let data = try? encoder.encode(list + differences) else { return "[]\n" }
    return String(decoding: data, as: UTF8.self) + "\n"
  }
}
