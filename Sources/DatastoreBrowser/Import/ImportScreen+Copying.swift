import DatastoreImport
import TerminalUI

extension ImportScreen: CopyableOverlay {
  /// The malformed value, or what is wrong where it is the whole record.
  func copyableCell(in state: BrowserState) -> CopyRequest? {
    guard let run = state.importing.run, let fault = state.currentFault else { return nil }
    return .text(fault.value ?? fault.sentence(in: run.fileName))
  }

  func copyableRow(in state: BrowserState) -> ExportSource? {
    guard let run = state.importing.run, state.currentFault != nil else { return nil }
    return .values(run.faultRows.only(scroll.cursor))
  }
}
