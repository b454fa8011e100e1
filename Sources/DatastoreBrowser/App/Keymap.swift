import TerminalUI

/// Which key does what where: the keys of the command records, changed by the user's configuration.
struct Keymap: Sendable {
  /// The keys of each command by its name, the one that is shown first.
  private let keys: [String: [KeySequence]]
  private let byKeys: [CommandScope: [KeySequence: Command]]
  /// What longer sequences begin with.
  private let beginnings: [CommandScope: Set<KeySequence>]
  let commands: CommandTable

  /// The keys as the commands themselves say.
  init(_ commands: CommandTable) {
    self.init(commands, unchecked: [:])
  }

  /// Changes the keys of some commands; the others keep theirs, but for keys that are given to a
  /// changed command in the same scope. A command with no key left is reached by the palette.
  ///
  /// - Parameter changes: the new keys by the name of the command; none takes its keys away.
  /// - Throws: `KeymapFault` for a name that is not a command, and for a key that two changed commands
  ///   claim in one scope.
  init(
    _ commands: CommandTable, changing changes: [String: [KeySequence]]
  ) throws(KeymapFault) {
    for name in changes.keys.sorted() where commands.named(name) == nil {
      throw .unknownCommand(name)
    }
    var owners: [CommandScope: [KeySequence: String]] = [:]
    for command in commands.all {
      for key in changes[command.name] ?? [] {
        for scope in command.scopes {
          let owner = owners[scope]?.first {
            $0.key == key || $0.key.begins(key) || key.begins($0.key)
          }
          if let owner, owner.value != command.name {
            let claimed = owner.key.begins(key) ? owner.key : key
            throw .claimedTwice(claimed, by: owner.value, and: command.name, in: scope)
          }
          owners[scope, default: [:]][key] = command.name
        }
      }
    }
    self.init(commands, unchecked: changes)
  }

  private init(_ commands: CommandTable, unchecked changes: [String: [KeySequence]]) {
    var keys: [String: [KeySequence]] = [:]
    var byKeys: [CommandScope: [KeySequence: Command]] = [:]
    var beginnings: [CommandScope: Set<KeySequence>] = [:]
    let changed = commands.all.filter { changes[$0.name] != nil }
    let kept = commands.all.filter { changes[$0.name] == nil }
    for command in changed + kept {
      // A key that another command has in one of the scopes is not shown for this one any more, and nothing
      // follows a key that does something by itself.
      let free = (changes[command.name] ?? command.keys).filter { key in
        command.scopes.allSatisfy { scope in
          !scope.takes(key, of: command)
            || ([key] + key.beginnings).allSatisfy { byKeys[scope]?[$0] == nil }
              && beginnings[scope]?.contains(key) != true
        }
      }
      keys[command.name] = free
      for key in free {
        for scope in command.scopes where scope.takes(key, of: command) {
          byKeys[scope, default: [:]][key] = command
          beginnings[scope, default: []].formUnion(key.beginnings)
        }
      }
    }
    /// Gives a command a key where nothing else has it.
    func bind(_ key: KeySequence, to command: Command, in scope: CommandScope) {
      guard byKeys[scope]?[key] == nil, beginnings[scope]?.contains(key) != true else { return }
      byKeys[scope, default: [:]][key] = command
    }
    if let close = commands.named("close") {
      for scope in close.scopes where !scope.traits.contains(.types) {
        // The key that has opened it closes it, and so does Enter where there is nothing to choose.
        let opening = scope.opener.flatMap { keys[$0] } ?? []
        for key in opening + ["enter"] { bind(key, to: close, in: scope) }
      }
    }
    // Where text is typed beside a list, the keys of readline and of completion menus move through that.
    for (key, name) in [("ctrl-n", "down"), ("ctrl-p", "up")] as [(KeySequence, String)] {
      guard let command = commands.named(name) else { continue }
      for scope in command.scopes where scope.traits.contains(.moves) {
        bind(key, to: command, in: scope)
      }
    }
    self.keys = keys
    self.byKeys = byKeys
    self.beginnings = beginnings
    self.commands = commands
  }

  /// The command of some keys in a scope, or nil.
  func command(for keys: KeySequence, in scope: CommandScope) -> Command? {
    byKeys[scope]?[keys] ?? byKeys[.everywhere]?[keys]
  }

  /// Whether more keys are to follow these in a scope.
  func isBeginning(_ keys: KeySequence, in scope: CommandScope) -> Bool {
    beginnings[scope]?.contains(keys) ?? false
  }

  /// What may follow some keys in a scope, in the order of the keys.
  func continuations(
    of beginning: KeySequence, in scope: CommandScope
  ) -> [(keys: KeySequence, command: Command)] {
    (byKeys[scope] ?? [:]).filter { beginning.begins($0.key) }
      .map { (KeySequence(Array($0.key.keys.dropFirst(beginning.keys.count))), $0.value) }
      .sorted { $0.keys.description < $1.keys.description }
  }

  /// The keys of a command; the first is the one that is shown.
  func keys(of command: Command) -> [KeySequence] { keys[command.name] ?? [] }

  /// What a command is reached by: its keys, and its short names in the palette (`:w`); its name where it has
  /// neither.
  func names(of command: Command) -> [String] {
    let keys = keys(of: command).map(\.description)
    let aliases = command.aliases.isEmpty && keys.isEmpty ? [command.name] : command.aliases
    return keys + aliases.map { ":" + $0 }
  }

  /// What the footer shows for a command: its family of keys, if that is unchanged, or its first key.
  func hint(of command: Command) -> String? {
    let keys = keys(of: command)
    if keys == command.keys, let hint = command.hintKeys { return hint }
    return keys.first?.description
  }
}

/// Why keys cannot be bound as the configuration says.
enum KeymapFault: Error, Hashable, Sendable {
  case unknownCommand(String)
  case claimedTwice(KeySequence, by: String, and: String, in: CommandScope)
}
