import DatastoreCore
import Foundation
import SwiftDatastore

extension Lane {
  /// Writes of the file of column settings.
  static let columnSettings = Lane("column settings", .inOrder, atEnd: .completed)
}

extension Effect {
  /// Saves the column settings of an entity.
  static func keepColumns(entity: String, _ settings: ColumnSettings) -> Effect {
    .work { runner in
      guard
        let file = TableSettingsFile(
          of: runner.environment.subject, in: runner.environment.stateDirectory)
      else { return }
      runner.keep("The column settings", at: file.url, in: .columnSettings) {
        try file.write(settings, of: entity)
      }
    }
  }
}
