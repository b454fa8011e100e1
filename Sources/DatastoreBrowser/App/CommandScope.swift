/// Where a command applies: one of the panels, or what lies over them. An overlay declares its own.
struct CommandScope: Hashable, Sendable {
  let name: String
  /// The heading of its commands in the help.
  let title: String
  /// Whether there are lines to move through and no text is typed: the movement keys apply.
  let scrolls: Bool

  init(_ name: String, title: String, scrolls: Bool = false) {
    self.name = name
    self.title = title
    self.scrolls = scrolls
  }

  /// Names are unique; it is looked up with every key.
  static func == (left: CommandScope, right: CommandScope) -> Bool { left.name == right.name }

  func hash(into hasher: inout Hasher) { hasher.combine(name) }

  static let entities = CommandScope("entities", title: "In the list of entities", scrolls: true)
  static let table = CommandScope("table", title: "In the table", scrolls: true)
  static let detail = CommandScope("detail", title: "In the details", scrolls: true)
  static let question = CommandScope("question", title: "In a question")
  /// Wherever lines are moved through.
  static let scrolling = CommandScope("scrolling", title: "Where there are lines")
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
