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
          of: runner.datastore.url, in: runner.environment.stateDirectory)
      else { return }
      runner.perform(in: .columnSettings) { runner in
        do {
          try await BlockingWork.run { try file.write(settings, of: entity) }
        } catch {
          runner.send(
            ErrorReport(
              "The arrangement of columns could not be kept in \(file.url.path): "
                + error.localizedDescription))
        }
      }
    }
  }
}
