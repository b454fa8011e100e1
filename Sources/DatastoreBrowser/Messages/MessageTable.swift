import DatastoreCore
import TerminalUI

extension BrowserState {
  /// Opens a table of the messages of the status line, the last one first.
  mutating func openMessages() {
    openDerivedTable(titled: "Messages", "the messages", entity: "messages") { state in
      let messages = state.messageLog.messages.reversed()
      return { _, _, _ in
        DerivedRows(
          columns: [.text("message"), .text("kind")],
          rows: messages.map { [.text($0.text), .text($0.severity.title)] })
      }
    }
  }
}

extension BrowserState.Message.Severity {
  fileprivate var title: String {
    switch self {
    case .note: "note"
    case .information: "information"
    case .success: "success"
    case .warning: "warning"
    case .error: "error"
    }
  }
}

extension DisabledReason {
  static let noMessages = DisabledReason {
    $0.messageLog.messages.isEmpty ? "There has been no message yet." : nil
  }
}
