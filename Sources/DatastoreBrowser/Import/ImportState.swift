import Basics
package import DatastoreImport
import TerminalUI

/// The running import, or the last one.
struct ImportState: FeatureState {
  struct Run: Sendable {
    let source: LoadSource
    /// Nil until the first rows have been read.
    var progress: ImportProgress?
    /// The records that were left out, up to the limit.
    var faults: [LoadFault] = []
    /// The number of all records that were left out.
    var faultCount = 0
    /// Nil while the import is running.
    var outcome: ImportOutcome?

    /// The short name of the source.
    var fileName: String {
      source.name.words(at: "/").last.map(String.init) ?? source.name
    }

    var entity: String { source.entityName }

    /// The number of rows in the store.
    var written: Int {
      if case .completed(let report) = outcome { return report.inserted + report.updated }
      return progress?.load.written ?? 0
    }
  }

  var run: Run?
  /// The number of the last preview.
  var lastPreview = 0
  /// Whether the browser ends after the import.
  var leavesAfterwards = false
  /// Why the store must be opened again, if it must.
  var awaitsReopening: ReopeningReason?

  var isRunning: Bool { run != nil && run?.outcome == nil }
}

/// Why a store is opened again, to import a file into it.
package enum ReopeningReason: Sendable {
  /// The table for the file is new.
  case newTable(LoadSource)
  /// The table was created from the beginning of the file, and the rest has other types.
  case otherTypes
}

extension LoadSource {
  /// The entity that the records fill; empty for files that only link objects.
  var entityName: String {
    if case .entity(let content) = content { return content.entity }
    return ""
  }
}

extension ImportState.Run {
  /// The progress in one line.
  func sentence(_ marks: Marks) -> String {
    guard let progress else { return "Importing \(fileName)…" }
    if progress.load.stage == .inferring {
      return "Finding the types of \(fileName): \(CountText.counted(progress.load.rows, "row"))"
    }
    var parts = ["Importing \(fileName): \(CountText.counted(progress.load.rows, "row"))"]
    if let rate = progress.rate.rowsPerSecond { parts.append("\(CountText.grouped(rate))/s") }
    if let left = progress.rate.secondsLeft { parts.append("\(LoadRate.duration(left)) left") }
    if faultCount > 0 { parts.append(CountText.counted(faultCount, "fault")) }
    return parts.joined(separator: marks.separator)
  }

  /// Draws the progress with a bar after it.
  func draw(into buffer: inout ScreenBuffer, in area: Rectangle) {
    buffer.draw("", in: area, role: .statusBar)
    let bar = min(24, area.columns / 6)
    buffer.draw(
      " " + sentence(Marks(buffer.glyphs)), at: area.origin, width: max(0, area.columns - bar - 1),
      role: .statusBar)
    ProgressBar(fraction: progress?.rate.fraction).draw(
      into: &buffer, at: Position(column: area.right - bar, row: area.top), width: bar)
  }
}

extension BrowserState {
  var importing: ImportState {
    get { self[ImportState.self] }
    _modify { yield &self[ImportState.self] }
  }
}
