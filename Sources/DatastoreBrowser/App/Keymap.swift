import TerminalUI

/// The command of each key in each scope: the keys of the command records, changed by the user's
/// configuration.
struct Keymap: Sendable {
  /// The keys of each command by its name, with the shown one first.
  private let keys: [String: [KeySequence]]
  private let byKeys: [CommandScope: [KeySequence: Command]]
  /// The beginnings of the longer key sequences.
  private let beginnings: [CommandScope: Set<KeySequence>]
  let commands: CommandTable

  /// Creates a keymap with the default keys of the commands.
  init(_ commands: CommandTable) {
    self.init(commands, unchecked: [:])
  }

  /// Changes the keys of some commands. The others keep theirs, except for keys given to a changed command in
  /// the same scope. A command without keys is reached by the palette.
  ///
  /// - Parameter changes: the new keys by the name of the command; none removes its keys.
  /// - Throws: `KeymapFault` for an unknown command, and for a key that two changed commands claim in one
  ///   scope.
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
      // A key that another command has in one of the scopes is removed from this command. No longer sequence
      // may follow a key that has a command itself.
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
    /// Gives a command a key that has no other use in the scope.
    func bind(_ key: KeySequence, to command: Command, in scope: CommandScope) {
      guard byKeys[scope]?[key] == nil, beginnings[scope]?.contains(key) != true else { return }
      byKeys[scope, default: [:]][key] = command
    }
    if let close = commands.named("close") {
      for scope in close.scopes where !scope.traits.contains(.types) {
        // The key that opens a scope closes it, as does Enter if there is nothing to accept.
        let opening = scope.opener.flatMap { keys[$0] } ?? []
        for key in opening + ["enter"] { bind(key, to: close, in: scope) }
      }
    }
    // With text input beside a list, the keys of readline and of completion menus move through the list.
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

  func command(for keys: KeySequence, in scope: CommandScope) -> Command? {
    byKeys[scope]?[keys] ?? byKeys[.everywhere]?[keys]
  }

  /// Whether longer sequences in a scope begin with these keys.
  func isBeginning(_ keys: KeySequence, in scope: CommandScope) -> Bool {
    beginnings[scope]?.contains(keys) ?? false
  }

  /// The sequences that begin with some keys in a scope, in the order of the keys.
  func continuations(
    of beginning: KeySequence, in scope: CommandScope
  ) -> [(keys: KeySequence, command: Command)] {
    (byKeys[scope] ?? [:]).filter { beginning.begins($0.key) }
      .map { (KeySequence(Array($0.key.keys.dropFirst(beginning.keys.count))), $0.value) }
      .sorted { $0.keys.description < $1.keys.description }
  }

  /// The keys of a command; the first one is shown.
  func keys(of command: Command) -> [KeySequence] { keys[command.name] ?? [] }

  /// The ways to a command: its keys and its short names in the palette (`:w`), or its name if it has
  /// neither.
  func names(of command: Command) -> [String] {
    let keys = keys(of: command).map(\.description)
    let aliases = command.aliases.isEmpty && keys.isEmpty ? [command.name] : command.aliases
    return keys + aliases.map { ":" + $0 }
  }

  /// The footer's keys for a command: its family of keys if that is unchanged, or its first key.
  func hint(of command: Command) -> String? {
    let keys = keys(of: command)
    if keys == command.keys, let hint = command.hintKeys { return hint }
    return keys.first?.description
  }
}

/// Why the keys of the configuration cannot be bound.
enum KeymapFault: Error, Hashable, Sendable {
  case unknownCommand(String)
  case claimedTwice(KeySequence, by: String, and: String, in: CommandScope)
}
