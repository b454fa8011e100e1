/// All commands, in the order of the help. Each feature declares its own as a static list.
struct CommandTable: Sendable {
  /// The commands of a feature, under one heading of the help.
  struct Topic: Sendable {
    let title: String
    let commands: [Command]

    init(_ title: String, _ commands: [Command]) {
      self.title = title
      self.commands = commands
    }
  }

  let all: [Command]
  let topics: [Topic]
  /// All scopes in the order of the help.
  let scopes: [CommandScope]
  private let byScope: [CommandScope: [Command]]
  private let hintedByScope: [CommandScope: [Command]]
  private let byName: [String: Command]

  /// - Parameters:
  ///   - topics: the commands of each feature.
  ///   - others: scopes that have no commands of their own, only those of their traits.
  init(_ topics: [Topic], others: Set<CommandScope> = []) {
    let places = others.union(topics.flatMap(\.commands).flatMap(\.scopes))
    self.topics = topics.map { topic in
      Topic(
        topic.title,
        topic.commands.map { command in
          command.traits.isEmpty
            ? command
            : command.applying(in: places.filter { !$0.traits.isDisjoint(with: command.traits) })
        })
    }
    all = self.topics.flatMap(\.commands)
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

  /// The commands for the footer, the most telling ones first.
  func hinted(in scope: CommandScope) -> [Command] { hintedByScope[scope] ?? [] }

  func named(_ name: String) -> Command? { byName[name] }
}
