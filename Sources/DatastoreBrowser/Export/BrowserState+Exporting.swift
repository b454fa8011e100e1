import Basics
import DatastoreCore
import DatastoreExport
import TerminalUI

/// Exporting rows to a file.
extension BrowserState {
  /// The selected rows of the table, or all rows if none is selected; nil without a table.
  var tableRows: ObjectRows? {
    guard let table else { return nil }
    var rows = ObjectRows(
      entity: table.query.entity, columns: table.writtenColumns,
      list: table.list)
    let selection = editing.selection
    let isSelected = selection.count(in: table.query, rows: table.list.keys.count) > 0
    if isSelected, !selection.isAll(of: table.query) { rows.selection = selection.keys }
    return rows
  }

  /// Asks for the format and the path of an export.
  mutating func exportTable() {
    guard let rows = tableRows, let entity else { return }
    open(
      ExportScreen(
        rows, subject: subject(of: rows, entity.name), name: entity.name, memory: exporting))
  }

  /// Exports the rows of the table to a file whose name determines the format.
  mutating func exportTable(to path: String) {
    guard let rows = tableRows else { return }
    guard let format = ExportFormat(fileName: path) else {
      return tell(
        "The file name sets the format: end it with "
          + ExportFormat.listed.map { "." + $0.fileExtension }.joined(separator: ", ") + ".",
        .warning)
    }
    export(rows, as: format, to: path)
  }

  private func subject(of rows: ObjectRows, _ name: String) -> String {
    let text =
      (rows.selection == nil ? "" : "selected: ") + CountText.counted(rows.count, "row")
      + " of \(name), " + CountText.counted(rows.columns.count, "column")
    return editing.marks.isEmpty
      ? text : text + "; with unsaved changes, without rows to be deleted"
  }

  /// Starts the export of the export screen.
  mutating func acceptExport() {
    guard let screen = overlay(as: ExportScreen.self) else { return }
    let path = screen.field.text
    guard !path.isEmpty, !path.ends(with: "/") else {
      let reason =
        path.isEmpty ? "Type the path of a file." : "This is a directory; name a file in it."
      changeOverlay(as: ExportScreen.self) { $0.fail(reason) }
      return
    }
    exporting.hasStoredDates = screen.hasStoredDates
    export(screen.rows, as: screen.format, to: path)
  }

  private mutating func export(_ rows: ObjectRows, as format: ExportFormat, to path: String) {
    exporting.last += 1
    exporting.format = format
    exporting.folder = path.lastPlace(of: "/").map { String(path.text(through: $0)) } ?? ""
    begin(
      ExportRequest(
        number: exporting.last, rows: rows, format: format, path: path,
        hasStoredDates: exporting.hasStoredDates, origins: rowOrigins))
  }

  private mutating func begin(_ request: ExportRequest) {
    open(ExportProgress(request))
    self.request(.export(request))
  }

  /// Follows the progress of an export.
  mutating func apply(_ event: ExportEvent) {
    switch event {
    case .progress(let number, let rows):
      changeOverlay(as: ExportProgress.self) { $0.apply(rows: rows, of: number) }
    case .exists(var request):
      guard endExport(request.number) else { return }
      request.isReplacing = true
      let replacing = request
      ask(
        title: "Export", message: "\(request.path) already exists. Replace it?",
        role: .warning, "replace", else: "keep it"
      ) { $0.begin(replacing) }
    case .finished(let number, let report):
      guard endExport(number) else { return }
      overlays.removeAll { $0 is ExportScreen }
      tell(report.description, report.replacedTexts > 0 ? .warning : .success)
    case .stopped(let number):
      guard endExport(number) else { return }
      tell("The export was stopped; no file was written.", .warning)
    case .failed(let number, let reason):
      guard endExport(number) else { return }
      if overlay(as: ExportScreen.self) != nil {
        changeOverlay(as: ExportScreen.self) { $0.fail(reason) }
      } else {
        tell(reason, .error)
      }
    }
  }

  /// Removes the progress of an export; false if it is that of another one.
  private mutating func endExport(_ number: Int) -> Bool {
    guard number == exporting.last else { return false }
    overlays.removeAll { $0 is ExportProgress }
    return true
  }
}

extension DisabledReason {
  /// No exported column shows its values in another form than they are stored in.
  static let noDatesToExport = DisabledReason {
    guard let screen = $0.overlay(as: ExportScreen.self) else { return nil }
    if screen.format == .sql { return "SQL stores dates as they are stored now." }
    return screen.rows.hasDates ? nil : "None of these columns holds dates."
  }

  /// There are no rows, or not all of them have been read.
  static let nothingToExport = DisabledReason { state in
    guard let table = state.table else { return "There is no table here." }
    let selected = state.editing.selection.count(
      in: table.query, rows: table.list.keys.count)
    if selected > 0, !state.editing.selection.isAll(of: table.query) { return nil }
    switch table.phase {
    case .reading: return "The table is still being read; wait until it is."
    case .stopped: return "Only a part of the table was read; press r to read all of it."
    case .failed: return "The table could not be read; press r to try again."
    case .ready: return nil
    }
  }
}
