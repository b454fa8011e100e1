import Basics
import DatastoreCore
import DatastoreExport
import DatastoreImport
import TerminalUI

/// The records that an import has left out, on their way to a file or to the clipboard.
extension ImportState.Run {
  /// How many more there are than are kept, as a sentence; nil when all of them are.
  var unlistedSentence: String? {
    let more = faultCount - faults.count
    guard more > 0 else { return nil }
    return "\(CountText.grouped(more)) more are not listed: the first "
      + "\(CountText.grouped(faults.count)) are kept."
  }

  /// One row for each record that is kept: where it is, and what is wrong with it.
  var faultRows: ValueRows {
    let columns: [(String, AttributeType)] = [
      ("file", .string), ("record", .integer64), ("line", .integer64), ("position", .integer64),
      ("column", .string), ("value", .string), ("reason", .string),
    ]
    return ValueRows(
      name: "\(ImportForm.tableName(of: fileName))-left-out",
      columns: columns.map { ExportColumn(name: $0.0, type: $0.1) },
      rows: faults.map { fault in
        [
          .text(source.name), fault.record.map { .integer(Int64($0)) } ?? .null,
          .integer(Int64(fault.position.line)), .integer(Int64(fault.position.column)),
          fault.column.map { .text($0) } ?? .null, fault.value.map { .text($0) } ?? .null,
          .text(fault.reason),
        ]
      })
  }
}

extension LoadFault {
  /// Where it is and what is wrong, as a sentence.
  func sentence(in file: String) -> String {
    let place = "\(file), line \(position.line), column \(position.column)"
    let cell = column.map { "\($0): " } ?? ""
    return "\(place): \(cell)\(reason)."
  }
}

extension BrowserState {
  /// The record under the cursor of the view of an import.
  var currentFault: LoadFault? {
    guard let screen = overlay(as: ImportScreen.self), let faults = importing.run?.faults,
      faults.indices.contains(screen.scroll.cursor)
    else { return nil }
    return faults[screen.scroll.cursor]
  }

  /// Asks how and where to the records that were left out are written.
  mutating func exportFaults() {
    guard let run = importing.run else { return }
    let rows = run.faultRows
    openExport(.values(rows), name: rows.name)
    if let more = run.unlistedSentence { message = Message(text: more, severity: .warning) }
  }
}
