import TerminalUI

/// Something the user can do. Keymap, footer and help are made from these records.
struct Command: Sendable {
  /// What it is known by, such as `sort`.
  let name: String
  /// The keys that do it; the first is the one that is shown.
  let keys: [Key]
  /// A word or two for the footer.
  let label: String
  /// A sentence for the help.
  let help: String
  /// Where the keys do it.
  let scopes: Set<CommandScope>
  /// Its place in the footer, low numbers first; nil leaves it to the help.
  let hintRank: Int?
  /// What the footer shows instead of the first key: `↑↓` for a family of keys.
  let hintKeys: String?
  /// Whether it also works while the terminal is too small to show anything.
  let worksUnseen: Bool
  /// What may keep it from being done now.
  let obstacle: Obstacle
  let perform: @Sendable (inout BrowserState) -> [Effect]
  /// Does it with what is typed behind its name in the palette; nil for commands that take nothing.
  var performWithArgument: (@Sendable (inout BrowserState, String) -> [Effect])?

  init(
    _ name: String, keys: [Key], label: String, help: String, in scopes: Set<CommandScope>,
    hintRank: Int? = nil, hintKeys: String? = nil, worksUnseen: Bool = false,
    unless obstacle: Obstacle = .none,
    perform: @escaping @Sendable (inout BrowserState) -> [Effect]
  ) {
    self.name = name
    self.keys = keys
    self.label = label
    self.help = help
    self.scopes = scopes
    self.hintRank = hintRank
    self.hintKeys = hintKeys
    self.worksUnseen = worksUnseen
    self.obstacle = obstacle
    self.perform = perform
  }

  /// The same command, which in the palette also takes a text behind its name.
  func taking(
    argument perform: @escaping @Sendable (inout BrowserState, String) -> [Effect]
  ) -> Command {
    var command = self
    command.performWithArgument = perform
    return command
  }

  /// Why it cannot be done now, as a sentence; nil when it can.
  func reasonDisabled(_ state: BrowserState) -> String? { obstacle.reason(state) }
}

/// All commands, and which key does what where.
enum CommandTable {
  static let all: [Command] = [
    entityCommands,
    detailCommands,
    tableCommands,
    columnCommands,
    valueCommands,
    jumpCommands,
    sectionCommands,
    filterCommands,
    movementCommands,
    panelCommands,
    generalCommands,
    summaryCommands,
    paletteCommands,
    themeCommands,
    overlayCommands,
    columnScreenCommands,
    jumpLineCommands,
    filterLineCommands,
    filterFormCommands,
    filterValueCommands,
    filterListCommands,
    editingCommands,
    stagingCommands,
    editorCommands,
    pickerCommands,
    blobCommands,
    memberCommands,
    reviewCommands,
    conflictCommands,
    bulkCommands,
    exportCommands,
    consoleCommands,
  ].flatMap { $0 }

  /// All scopes in the order of the help.
  static let scopes: [CommandScope] = all.reduce(into: []) { scopes, command in
    for scope in command.scopes.sorted(by: { $0.name < $1.name }) where !scopes.contains(scope) {
      scopes.append(scope)
    }
  }

  /// The commands of a scope in the order of the help.
  static func commands(in scope: CommandScope) -> [Command] {
    all.filter { $0.scopes.contains(scope) }
  }

  /// The command of that name, or nil.
  static func named(_ name: String) -> Command? { all.first { $0.name == name } }
}
