import TerminalUI

/// A part of the screen in which commands apply: a panel or an overlay. An overlay declares its own scope.
struct CommandScope: Hashable, Sendable {
  let name: String
  /// The heading of its commands in the help.
  let title: String
  /// The traits that bring commands besides the scope's own.
  let traits: Set<Trait>
  private let labels: [String: String]
  /// The command that opens the overlay.
  let opener: String?

  /// A property that several scopes share, so that the commands of one feature apply in another feature's
  /// overlay.
  enum Trait: Hashable, Sendable {
    /// The scope has lines to move through and no text input: the movement keys apply.
    case scrolls
    /// A text can be searched for in the lines.
    case searchesLines
    /// The scope has text input: letters, and the keys that edit a line, are no commands there.
    case types
    /// Enter accepts the line under the cursor, or the typed text.
    case accepts
    /// Escape closes the scope.
    case closes
    /// Tab completes the typed text.
    case completes
    /// The scope has text input beside a list: the arrows move through the list.
    case moves
    /// The scope scrolls sideways, or has columns.
    case hasColumns
    /// The scope has sections to go to.
    case hasSections
    /// Lines can be switched on and off.
    case toggles
    /// The line under the cursor can be deleted, because the user has saved it.
    case deletesSaved
    /// The content has several forms.
    case hasForms
    /// The subject of the scope can be saved.
    case saves
    /// The scope has staged changes of its own.
    case stages
    /// The value under the cursor can be copied.
    case copiesValue
  }

  /// - Parameters:
  ///   - labels: the footer's labels for commands in this scope, by the name of the command.
  ///   - opener: the command that opens the scope; its keys also close it.
  init(
    _ name: String, title: String, traits: Set<Trait> = [], labels: [String: String] = [:],
    openedBy opener: String? = nil
  ) {
    self.name = name
    self.title = title
    self.traits = traits
    self.labels = labels
    self.opener = opener
  }

  /// The footer's label for a command in this scope.
  func label(of command: Command) -> String {
    if let label = labels[command.name] { return label }
    return traits.contains(.types) && command.name == "close" ? "cancel" : command.label
  }

  /// Whether a command that applies by a trait can have these keys here. With text input, letters and the
  /// keys that edit a line belong to the line.
  func takes(_ keys: KeySequence, of command: Command) -> Bool {
    guard traits.contains(.types), !command.traits.isDisjoint(with: traits),
      let key = keys.keys.first
    else { return true }
    return !TextField.takes(key)
  }

  /// Names are unique, and scopes are compared for every key.
  static func == (left: CommandScope, right: CommandScope) -> Bool { left.name == right.name }

  func hash(into hasher: inout Hasher) { hasher.combine(name) }

  static let entities = CommandScope(
    "entities", title: "In the list of entities", traits: [.scrolls])
  static let table = CommandScope("table", title: "In the table", traits: [.scrolls])
  static let detail = CommandScope("detail", title: "In the details", traits: [.scrolls])
  static let question = CommandScope("question", title: "In a question")
  /// Every scope that has no other use for the key.
  static let everywhere = CommandScope("everywhere", title: "Everywhere")

  /// The panels: all scopes but overlays.
  static let panels: Set<CommandScope> = [.entities, .table, .detail]

  init(_ focus: Focus) {
    switch focus {
    case .entities: self = .entities
    case .table: self = .table
    case .detail: self = .detail
    }
  }
}

extension Set<CommandScope.Trait> {
  /// A list that typing narrows down, to pick one of its lines.
  static let picks: Self = [.types, .accepts, .closes, .moves]
  /// A line of text input.
  static let line: Self = [.types, .accepts, .closes]
}
