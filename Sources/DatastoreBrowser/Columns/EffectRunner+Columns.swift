import DatastoreCore
import Foundation
import SwiftDatastore

extension Lane {
  /// Writes of the file of decisions about columns.
  static let columnSettings = Lane("column settings", .inOrder, atEnd: .completed)
}

extension Effect {
  /// Keeps what was decided about an entity's columns for the next time.
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
