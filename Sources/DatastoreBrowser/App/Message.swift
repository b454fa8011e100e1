import TerminalUI

extension BrowserState {
  /// A sentence in the status line, shown until the next key.
  struct Message: Hashable, Sendable {
    var text: String
    var severity: Severity
  }

  /// Shows a sentence in the status line.
  mutating func tell(_ text: String, _ severity: Message.Severity) {
    message = Message(text: text, severity: severity)
  }
}

extension BrowserState.Message {
  enum Severity: Hashable, Sendable {
    /// A remark that requires no action.
    case note
    case information
    case success
    /// Something was not done, or may surprise.
    case warning
    case error

    var role: StyleRole {
      switch self {
      case .note: .dim
      case .information: .statusBar
      case .success: .success
      case .warning: .warning
      case .error: .error
      }
    }
  }

  var role: StyleRole { severity.role }

  /// Whether something that the user asked for was not done.
  var isFailure: Bool { severity == .warning || severity == .error }
}
