import Basics
import DatastoreImport
import TerminalUI

extension ImportState.Run {
  /// The progress or the outcome in sentences.
  func summary(_ marks: Marks) -> (String, BrowserState.Message.Severity) {
    switch outcome {
    case nil:
      return ("\(sentence(marks)). esc cancels; what has been written stays.", .information)
    case .completed(let report):
      return (
        Self.sentence(report, "Imported \(Self.count(report)) into \(entity)"),
        faultCount > 0 ? .warning : .success
      )
    case .cancelled:
      if written == 0 { return ("The import was cancelled before any row was written.", .warning) }
      return (
        "The import was cancelled. \(CountText.counted(written, "row")) had been written to "
          + "\(entity) and stay there; the rest was not written.", .warning
      )
    case .failed(let reason):
      let rows = written == 0 ? "Nothing was" : "\(CountText.counted(written, "row")) had been"
      return ("\(reason) \(rows) written to \(entity) before that.", .error)
    }
  }

  /// The number of imported rows, and of all rows if some were left out.
  private static func count(_ report: LoadReport) -> String {
    let all = CountText.counted(report.rows, "row")
    return report.skippedRows == 0 ? all : "\(CountText.grouped(report.rowsTaken)) of \(all)"
  }

  /// The result for the rows.
  static func sentence(_ report: LoadReport, _ beginning: String) -> String {
    var parts: [String] = []
    if report.inserted > 0 { parts.append("\(CountText.grouped(report.inserted)) new") }
    if report.updated > 0 { parts.append("\(CountText.grouped(report.updated)) updated") }
    if report.skippedRows > 0 { parts.append("\(CountText.grouped(report.skippedRows)) left out") }
    if report.skippedReferences > 0 {
      parts.append("\(CountText.counted(report.skippedReferences, "reference")) left empty")
    }
    return beginning + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")) + "."
  }
}
