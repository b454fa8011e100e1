import DatastoreCore
import TerminalUI

/// An overlay of which something can be put on the clipboard: `y` copies the cell under the cursor, `Y` its
/// line.
protocol CopyableOverlay: Overlay {
  /// The cell, or the text, under the cursor; nil where there is none.
  func copyableCell(in state: BrowserState) -> CopyRequest?
  /// The line under the cursor as fields; nil where lines have none.
  func copyableRow(in state: BrowserState) -> ExportSource?
  /// All its rows and what they are called; nil where those of the table are written to files.
  var exportedRows: (source: ExportSource, name: String)? { get }
  /// Why its rows cannot be written to a file now.
  var reasonNotToExport: String? { get }
}

extension CopyableOverlay {
  func copyableRow(in state: BrowserState) -> ExportSource? { nil }
  var exportedRows: (source: ExportSource, name: String)? { nil }
  var reasonNotToExport: String? { nil }
}
