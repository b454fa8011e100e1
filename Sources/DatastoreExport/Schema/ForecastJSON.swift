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
  }

  /// A list of objects with the members `entity`, `property` (absent if the change is about an entity),
  /// `kind`, the cost of the change, and `change`, a sentence.
  package static func json(_ changes: [SchemaChange]) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let list = changes.map {
      Change(
        entity: $0.entity, property: $0.property, kind: $0.kind.description,
        change: $0.description)
    }
    // The list holds only texts, which always encode.
    guard let data = try? encoder.encode(list) else { return "[]\n" }
    return String(decoding: data, as: UTF8.self) + "\n"
  }
}
