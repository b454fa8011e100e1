import Basics
package import DatastoreCore
import TerminalUI

/// A migration forecast as lines for people, the same on the command line and in the browser.
package struct ForecastText {
  package let lines: [String]
  /// The lines about losses and about anything in the way.
  package let warnings: Range<Int>

  /// - Parameters:
  ///   - forecast: a forecast with something to do.
  ///   - hint: a text to append to a loss.
  package init(
    _ forecast: MigrationForecast, hint: (MigrationLoss) -> String = { _ in "" }
  ) {
    var lines: [String] = []
    if forecast.entities.isEmpty {
      lines.append("Only what the store says of its model changes, and no table.")
    }
    let width = forecast.entities.map { $0.entity.displayWidth() }.max() ?? 0
    for entity in forecast.entities {
      let kind = entity.kind.description.padded(to: 8)
      lines.append(
        "\(entity.entity.withoutTerminalControls.padded(to: width))  \(kind)  "
          + "\(CountText.grouped(entity.rows)) objects, \(CountText.grouped(entity.rowsToWrite)) rows to write"
      )
      lines += entity.changes.map { "  \($0.description.withoutTerminalControls)" }
    }
    if let space = forecast.space, space.isEnough { lines.append("Disk: \(space).") }
    let start = lines.count
    if let space = forecast.space, !space.isEnough {
      lines.append("The disk seems to be too full: \(space).")
    }
    if !forecast.losses.isEmpty {
      lines.append("Losses:")
      lines += forecast.losses.map { "  \($0)\(hint($0))".withoutTerminalControls }
    }
    if !forecast.obstacles.isEmpty {
      lines.append("In the way:")
      lines += forecast.obstacles.map { "  \($0)".withoutTerminalControls }
    }
    if !forecast.otherProcesses.isEmpty {
      let numbers = forecast.otherProcesses.map(String.init).joined(separator: ", ")
      lines.append(
        "Open in \(forecast.otherProcesses.count == 1 ? "process" : "processes") \(numbers), which must open it again "
          + "afterwards.")
    }
    self.lines = lines
    warnings = start..<lines.count
  }
}
