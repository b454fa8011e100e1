import TerminalUI

extension BrowserState {
  /// A sentence in the status line, until the next key.
  struct Message: Hashable, Sendable {
    var text: String
    var severity: Severity
  }
}

extension BrowserState.Message {
  /// How much a message matters.
  enum Severity: Hashable, Sendable {
    /// A remark that asks for nothing.
    case note
    case information
    case success
    /// Something was not done, or may surprise.
    case warning
    case error

    /// The style it is drawn in.
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

  /// Whether something was not done as it was asked for.
  var isFailure: Bool { severity == .warning || severity == .error }
}
