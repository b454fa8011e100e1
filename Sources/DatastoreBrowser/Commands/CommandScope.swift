/// Where a command applies: one of the panels, or what lies over them.
struct CommandScope: Hashable, Sendable {
  let name: String
  /// The heading of its commands in the help.
  let title: String

  init(_ name: String, title: String) {
    self.name = name
    self.title = title
  }

  static let entities = CommandScope("entities", title: "In the list of entities")
  static let table = CommandScope("table", title: "In the table")
  static let detail = CommandScope("detail", title: "In the details")
  static let help = CommandScope("help", title: "In this help")
  static let filter = CommandScope("filter", title: "In the filter line")
  static let cellEditor = CommandScope("cell-editor", title: "While a value is edited")
  static let question = CommandScope("question", title: "In a question")
  static let themes = CommandScope("themes", title: "In the list of themes")
  static let palette = CommandScope("palette", title: "In the list of commands")
  static let messages = CommandScope("messages", title: "In the messages")
  /// Whatever takes the keys, unless that has another use for the key.
  static let everywhere = CommandScope("everywhere", title: "Everywhere")

  /// The panels: everywhere but in overlays.
  static let panels: Set<CommandScope> = [.entities, .table, .detail]

  /// Where there are lines to move through and no text is typed: the movement keys apply.
  static let scrolling: Set<CommandScope> = panels.union([.help, .themes, .messages])

  init(_ focus: Focus) {
    switch focus {
    case .entities: self = .entities
    case .table: self = .table
    case .detail: self = .detail
    }
  }
}
