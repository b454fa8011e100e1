import TerminalUI

/// Which key does what where: the keys of the command records, changed by the user's configuration.
struct Keymap: Sendable {
  /// The keys of each command by its name, the one that is shown first.
  private let keys: [String: [Key]]
  private let byKey: [CommandScope: [Key: Command]]
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
    _ commands: CommandTable, changing changes: [String: [Key]]
  ) throws(KeymapFault) {
    for name in changes.keys.sorted() where commands.named(name) == nil {
      throw .unknownCommand(name)
    }
    var owners: [CommandScope: [Key: String]] = [:]
    for command in commands.all {
      for key in changes[command.name] ?? [] {
        for scope in command.scopes {
          if let owner = owners[scope]?[key] {
            throw .claimedTwice(key, by: owner, and: command.name, in: scope)
          }
          owners[scope, default: [:]][key] = command.name
        }
      }
    }
    self.init(commands, unchecked: changes)
  }

  private init(_ commands: CommandTable, unchecked changes: [String: [Key]]) {
    var keys: [String: [Key]] = [:]
    var byKey: [CommandScope: [Key: Command]] = [:]
    let changed = commands.all.filter { changes[$0.name] != nil }
    let kept = commands.all.filter { changes[$0.name] == nil }
    for command in changed + kept {
      // A key that another command has in one of the scopes is not shown for this one any more.
      let free = (changes[command.name] ?? command.keys).filter { key in
        command.scopes.allSatisfy { byKey[$0]?[key] == nil }
      }
      keys[command.name] = free
      for key in free {
        for scope in command.scopes { byKey[scope, default: [:]][key] = command }
      }
    }
    self.keys = keys
    self.byKey = byKey
    self.commands = commands
  }

  /// The command of a key in a scope, or nil.
  func command(for key: Key, in scope: CommandScope) -> Command? {
    byKey[scope]?[key] ?? byKey[.everywhere]?[key]
  }

  /// The keys of a command; the first is the one that is shown.
  func keys(of command: Command) -> [Key] { keys[command.name] ?? [] }

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
  case claimedTwice(Key, by: String, and: String, in: CommandScope)
}
