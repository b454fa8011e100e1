import Basics
import DatastoreCore
import DatastoreExport
import Foundation

/// A forecast as lines for people.
struct MigrationText {
  let lines: [String]

  init(_ forecast: MigrationForecast, store: String) {
    guard forecast.hasMigration else {
      lines = ["\(store) is of that version already."]
      return
    }
    lines =
      ForecastText(forecast) { $0.isDeclared ? "" : " (--remove \($0.name))" }.lines
  }

  /// What is in the way, with what lets it pass on the command line.
  static func sentence(_ obstacle: MigrationObstacle) -> String {
    guard case .loss(let loss) = obstacle else { return obstacle.description }
    return "\(loss); give --remove \(loss.name) to allow it"
  }
}

/// Shows on standard error how a migration goes on: a line that is written again on a terminal. May be called
/// from any thread.
final class MigrationDisplay: Sendable {
  private let isShown: Bool
  private let state = Lock((length: 0, percent: -1, phase: MigrationProgress.Phase?.none))

  init(isTerminal: Bool, isQuiet: Bool) { isShown = isTerminal && !isQuiet }

  func show(_ progress: MigrationProgress) {
    guard isShown else { return }
    state.withLock { state in
      let percent = Int(progress.fractionCompleted * 100)
      if percent == state.percent, progress.phase == state.phase { return }
      let line: String
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
      state = (Self.write(line, over: state.length), percent, progress.phase)
    }
  }

  /// The same of a file on its way.
  func show(bytes done: Int, of total: Int) {
    guard isShown, total > 0 else { return }
    state.withLock { state in
      let percent = Int(Double(done) / Double(total) * 100)
      if percent == state.percent { return }
      let line = "Over the line: \(percent)% of \(CountText.grouped(total >> 10)) kB"
      state = (Self.write(line, over: state.length), percent, nil)
    }
  }

  /// Writes the line in place of one of that length, and returns its own.
  private static func write(_ line: String, over length: Int) -> Int {
    let line = String(line.prefix(79))
    Message.overwriteLine(line + String(repeating: " ", count: max(0, length - line.count)))
    return line.count
  }

  /// Takes the line away.
  func finish() {
    state.withLock { state in
      guard state.length > 0 else { return }
      Message.overwriteLine(String(repeating: " ", count: state.length))
      Message.overwriteLine("")
      state.length = 0
    }
  }
}
