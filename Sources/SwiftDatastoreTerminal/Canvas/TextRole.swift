import TerminalUI

/// The meaning of a text. The theme gives each role a colour, and attributes that set it apart on terminals
/// without colours.
public enum TextRole: Sendable, Hashable, CaseIterable {
  /// Ordinary text.
  case text
  /// Less important text: labels, notes.
  case dim
  /// A heading.
  case heading
  /// The title of a pane.
  case title
  /// A number.
  case number
  /// A date or a time.
  case date
  /// A link to another object.
  case link
  /// Something new.
  case inserted
  /// Something changed.
  case changed
  /// Something that is about to be deleted.
  case deleted
  /// A success.
  case success
  /// A warning.
  case warning
  /// An error.
  case error

  var style: StyleRole {
    switch self {
    case .text: .text
    case .dim: .dim
    case .heading: .heading
    case .title: .title
    case .number: .number
    case .date: .date
    case .link: .relationship
    case .inserted: .inserted
    case .changed: .changed
    case .deleted: .deleted
    case .success: .success
    case .warning: .warning
    case .error: .error
    }
  }
}
