import Basics
import DatastoreCore
import DatastoreExport
import Foundation

/// A forecast as lines of text.
struct MigrationText {
  let lines: [String]

  init(_ forecast: MigrationForecast, store: String) {
    guard forecast.hasMigration else {
      lines = ["\(store) is of that version already."]
      return
    }
    lines =
      ForecastText(forecast) {
        $0.isDeclared || $0.isAsked ? "" : " (--remove \($0.name))"
      }.lines
  }

  /// An obstacle, with the option that permits it.
  static func sentence(_ obstacle: MigrationObstacle) -> String {
    guard case .loss(let loss) = obstacle else { return obstacle.description }
    return "\(loss); give --remove \(loss.name) to allow it"
  }
}

/// Shows the progress of a migration on standard error, on a terminal only, in a line that is overwritten.
/// May be called from any thread.
final class MigrationDisplay: Sendable {
  private let isShown: Bool
  private let state = Lock((length: 0, percent: -1, phase: MigrationProgress.Phase?.none))

  init(isTerminal: Bool, isQuiet: Bool) { isShown = isTerminal && !isQuiet }

  func show(_ progress: MigrationProgress) {
    guard isShown else { return }
    state.withLock { state in
      let percent = Int(progress.fractionCompleted * 100)
      if percent == state.percent, progress.phase == state.phase { return }
      var line: String
      switch progress.phase {
      case .waiting: line = "Waiting for another process, which migrates the store"
      case .checking: line = "Looking at values"
      case .backup: line = "Copying the old store"
      case .copying:
        let filled = percent / 5
        line =
          "Writing \(progress.entity ?? "")  ["
          + String(repeating: "#", count: filled) + String(repeating: "-", count: 20 - filled)
          + "] \(percent)%  \(CountText.grouped(progress.rowsDone)) of "
          + "\(CountText.grouped(progress.rowsTotal)) rows"
      case .indexing: line = "Making indexes"
      case .finishing: line = "Checking references"
      }
      line = String(line.prefix(79))
      Message.overwriteLine(line, over: state.length)
      state = (line.count, percent, progress.phase)
    }
  }

  /// Clears the line.
  func finish() {
    state.withLock { state in
      guard state.length > 0 else { return }
      Message.clearLine(state.length)
      state.length = 0
    }
  }
}
