import Basics
import DatastoreCore
import DatastoreImport
import TerminalUI

extension BrowserState {
  /// Reports the progress or the outcome of the last import, above a table of the records that it has left
  /// out.
  mutating func openImportProgress() {
    guard let run = importing.run else { return }
    let sentence = run.report
    guard !run.faults.isEmpty else { return message = sentence }
    openDerivedTable(
      titled: "Left out by the import of \(run.fileName) into \(run.entity)",
      "records that were left out",
      entity: "\(ImportForm.tableName(of: run.fileName))-left-out", saying: sentence
    ) { state in
      let (name, faults) = (run.source.name, (state.importing.run ?? run).faults)
      return { _, _, _ in
        DerivedRows(
          columns: [
            .number("record"), .text("column"), .text("value"), .text("reason"), .number("line"),
            .number("position"), .text("file"),
          ], rows: faults.map { $0.row(in: name) })
      }
    }
  }
}

extension ImportState.Run {
  /// The progress or the outcome as a message, with notes about the records that were left out.
  fileprivate var report: BrowserState.Message {
    var (text, severity) = summary(Marks(.unicode))
    if case .completed(let report) = outcome {
      text = ([text] + report.notes).joined(separator: " ")
    }
    if faults.isEmpty {
      text += outcome == nil ? " Nothing has been left out so far." : " Nothing was left out."
    }
    if faultCount > faults.count { text += " \(CountText.grouped(faults.count)) are listed." }
    return BrowserState.Message(text: text, severity: severity)
  }
}

extension LoadFault {
  /// The place of the fault and its reason.
  fileprivate func row(in file: String) -> [Value] {
    [
      record.map { .integer(Int64($0)) } ?? .null, column.map { .text($0) } ?? .null,
      value.map { .text($0) } ?? .null, .text(reason), .integer(Int64(position.line)),
      .integer(Int64(position.column)), .text(file),
    ]
  }
}
