/// Where a command applies: one of the panels, or what lies over them. An overlay declares its own.
struct CommandScope: Hashable, Sendable {
  let name: String
  /// The heading of its commands in the help.
  let title: String
  /// What can be done there besides its own commands.
  let traits: Set<Trait>

  /// What several places have in common, so that commands of one feature apply in another's overlay.
  enum Trait: Hashable, Sendable {
    /// There are lines to move through and no text is typed: the movement keys apply.
    case scrolls
    /// Its lines are searched for a text.
    case searchesLines
    /// It is a list that typing narrows down, and one of its lines is chosen.
    case picks
    /// Leaving it changes nothing, and letters are commands there.
    case closes
    /// The value under the cursor can be copied.
    case copiesValue
    /// The line under the cursor can be copied as fields.
    case copiesRow
    /// Its rows are written to a file by the command that writes those of the table.
    case exportsRows
  }

  init(_ name: String, title: String, traits: Set<Trait> = []) {
    self.name = name
    self.title = title
    self.traits = traits
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
