/// Where a command applies: one of the panels, or what lies over them.
struct CommandScope: Hashable, Sendable {
  let name: String
  /// The heading of its commands in the help.
  let title: String

  /// Names are unique; it is looked up with every key.
  static func == (left: CommandScope, right: CommandScope) -> Bool { left.name == right.name }

  func hash(into hasher: inout Hasher) { hasher.combine(name) }

  init(_ name: String, title: String) {
    self.name = name
    self.title = title
  }

  static let entities = CommandScope("entities", title: "In the list of entities")
  static let table = CommandScope("table", title: "In the table")
  static let detail = CommandScope("detail", title: "In the details")
  static let help = CommandScope("help", title: "In this help")
  static let columns = CommandScope("columns", title: "In the list of columns")
  static let search = CommandScope("search", title: "In the search line")
  static let rowNumber = CommandScope("row-number", title: "In the line for a row number")
  static let sections = CommandScope("sections", title: "In the list of sections")
  static let lineSearch = CommandScope(
    "line-search", title: "In the search line of a value or the schema")
  static let schema = CommandScope("schema", title: "In the schema")
  static let value = CommandScope("value", title: "In a whole value")
  static let cellEditor = CommandScope("cell-editor", title: "While a value is edited")
  static let valuePicker = CommandScope("value-picker", title: "In a list of values")
  static let objectPicker = CommandScope("object-picker", title: "In a list of objects")
  static let blobEditor = CommandScope("blob-editor", title: "With a value of bytes")
  static let pathPrompt = CommandScope("path-prompt", title: "In the line for a path")
  static let review = CommandScope("review", title: "In the list of unsaved changes")
  static let issues = CommandScope("issues", title: "In the list of what keeps from saving")
  static let conflicts = CommandScope("conflicts", title: "Where rows were changed underneath")
  static let export = CommandScope("export", title: "Where a file is written to")
  static let exporting = CommandScope("exporting", title: "While a file is written")
  static let chartGroups = CommandScope(
    "chart-groups", title: "In the list of columns to group a chart by")
  static let console = CommandScope("sql", title: "In the SQL console")
  static let consoleResult = CommandScope("sql-answer", title: "In the answer to SQL")
  static let question = CommandScope("question", title: "In a question")
  static let themes = CommandScope("themes", title: "In the list of themes")
  static let palette = CommandScope("palette", title: "In the list of commands")
  static let messages = CommandScope("messages", title: "In the messages")
  static let summary = CommandScope("summary", title: "In a summary of a column")
  static let importForm = CommandScope("import", title: "Before an import")
  static let importName = CommandScope("import-name", title: "While a new table is named")
  static let importPicker = CommandScope("import-list", title: "In a list of the import")
  static let importScreen = CommandScope("import-progress", title: "In the view of an import")
  /// Whatever takes the keys, unless that has another use for the key.
  static let everywhere = CommandScope("everywhere", title: "Everywhere")

  /// The panels: everywhere but in overlays.
  static let panels: Set<CommandScope> = [.entities, .table, .detail]

  /// Where there are lines to move through and no text is typed: the movement keys apply.
  static let scrolling: Set<CommandScope> = panels.union([
    .help, .themes, .messages, .columns, .value, .summary, .review, .issues, .conflicts,
    .filterForm, .importForm, .importScreen, .schema, .consoleResult,
  ])

  init(_ focus: Focus) {
    switch focus {
    case .entities: self = .entities
    case .table: self = .table
    case .detail: self = .detail
    }
  }
}
