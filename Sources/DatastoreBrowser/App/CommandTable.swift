/// All commands, in the order of the help. Each feature declares its own as a static list.
struct CommandTable: Sendable {
  let all: [Command]
  /// All scopes in the order of the help.
  let scopes: [CommandScope]
  private let byScope: [CommandScope: [Command]]
  private let hintedByScope: [CommandScope: [Command]]
  private let byName: [String: Command]

  /// - Parameter lists: the commands of each feature. Those in `CommandScope.scrolling` apply in every
  ///   scope that scrolls.
  init(_ lists: [[Command]]) {
    let commands = lists.flatMap { $0 }
    let scrolling = Set(commands.flatMap(\.scopes).filter(\.scrolls))
    all = commands.map { command in
      command.scopes == [.scrolling] ? command.applying(in: scrolling) : command
    }
    scopes = all.reduce(into: []) { scopes, command in
      for scope in command.scopes.sorted(by: { $0.name < $1.name }) where !scopes.contains(scope) {
        scopes.append(scope)
      }
    }
    let all = all
    byScope = Dictionary(
      uniqueKeysWithValues: scopes.map { scope in
        (scope, all.filter { $0.scopes.contains(scope) })
      })
    hintedByScope = byScope.mapValues { commands in
      commands.filter { $0.hintRank != nil }.sorted { ($0.hintRank ?? 0) < ($1.hintRank ?? 0) }
    }
    byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { one, _ in one })
  }

  /// The commands of a scope in the order of the help.
  func commands(in scope: CommandScope) -> [Command] { byScope[scope] ?? [] }

  /// Those that the footer may name, the most telling ones first.
  func hinted(in scope: CommandScope) -> [Command] { hintedByScope[scope] ?? [] }

  /// The command of that name, or nil.
  func named(_ name: String) -> Command? { byName[name] }
}
