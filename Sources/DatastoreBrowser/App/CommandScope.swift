import TerminalUI

/// Where a command applies: one of the panels, or what lies over them. An overlay declares its own.
struct CommandScope: Hashable, Sendable {
  let name: String
  /// The heading of its commands in the help.
  let title: String
  /// What can be done there besides its own commands.
  let traits: Set<Trait>
  private let labels: [String: String]
  /// The command that opens it.
  let opener: String?

  /// What several places have in common, so that commands of one feature apply in another's overlay.
  enum Trait: Hashable, Sendable {
    /// There are lines to move through and no text is typed: the movement keys apply.
    case scrolls
    /// Its lines are searched for a text.
    case searchesLines
    /// Text is typed: letters, and the keys that edit a line, are no commands there.
    case types
    /// Enter takes the line under the cursor, or what was typed.
    case accepts
    /// Escape leaves it.
    case closes
    /// Tab completes what is typed.
    case completes
    /// Text is typed beside a list: the arrows move through that.
    case moves
    /// It scrolls sideways, or has columns.
    case hasColumns
    /// It has parts to go to.
    case hasSections
    /// Lines are switched on and off.
    case toggles
    /// The line under the cursor was saved by the user, and can be deleted.
    case deletesSaved
    /// What it shows has several forms.
    case hasForms
    /// What it is about can be saved.
    case saves
    /// It has staged changes of its own.
    case stages
    /// The value under the cursor can be copied.
    case copiesValue
  }

  /// - Parameters:
  ///   - labels: what the footer calls commands here, by their names.
  ///   - opener: the command that opens it; its keys close it, too.
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

  /// What the footer calls a command here.
  func label(of command: Command) -> String {
    if let label = labels[command.name] { return label }
    return traits.contains(.types) && command.name == "close" ? "cancel" : command.label
  }

  /// Whether a key can be that of a command that applies by what this is: where text is typed, the line needs
  /// letters and the keys that edit it.
  func takes(_ keys: KeySequence, of command: Command) -> Bool {
    guard traits.contains(.types), !command.traits.isDisjoint(with: traits),
      let key = keys.keys.first
    else { return true }
    return !TextField.takes(key)
  }

  /// Names are unique; it is looked up with every key.
  static func == (left: CommandScope, right: CommandScope) -> Bool { left.name == right.name }

  func hash(into hasher: inout Hasher) { hasher.combine(name) }

  static let entities = CommandScope(
    "entities", title: "In the list of entities", traits: [.scrolls])
  static let table = CommandScope("table", title: "In the table", traits: [.scrolls])
  static let detail = CommandScope("detail", title: "In the details", traits: [.scrolls])
  static let question = CommandScope("question", title: "In a question")
  /// Whatever takes the keys, unless that has another use for the key.
  static let everywhere = CommandScope("everywhere", title: "Everywhere")

  /// The panels: everywhere but in overlays.
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
  /// A list that typing narrows down, and one of its lines is chosen.
  static let picks: Self = [.types, .accepts, .closes, .moves]
  /// A line in which something is typed.
  static let line: Self = [.types, .accepts, .closes]
}
