import TerminalUI

/// What a text means. The theme gives each role its colour, and what sets it apart where there are no
/// colours.
public enum TextRole: Sendable, Hashable, CaseIterable {
  /// What is to be read.
  case text
  /// What matters less: labels, notes.
  case dim
  /// The beginning of something.
  case heading
  /// The title of a pane.
  case title
  /// A number.
  case number
  /// A date or a time.
  case date
  /// What leads to another object.
  case link
  /// What is new.
  case inserted
  /// What has changed.
  case changed
  /// What is about to go.
  case deleted
  /// What has gone well.
  case success
  /// What deserves attention.
  case warning
  /// What has failed.
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
