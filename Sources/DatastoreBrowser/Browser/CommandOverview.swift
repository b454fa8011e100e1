import TerminalUI

/// A command as texts: for lists outside of the browser.
package struct CommandOverview: Hashable, Sendable {
  /// Where it applies: a heading.
  package let place: String
  /// What the configuration calls it.
  package let name: String
  /// Its keys as they are bound, and its short names in the palette: `:w`.
  package let keys: [String]
  /// What it does: its title in the palette, if it is there, and a sentence.
  package let help: String

  /// All commands in the order of the help, each at the first place where it applies.
  package static func all(_ configuration: Configuration) -> [CommandOverview] {
    var listed: Set<String> = []
    return configuration.keymap.commands.scopes.flatMap { scope in
      configuration.keymap.commands.commands(in: scope).compactMap { command in
        guard listed.insert(command.name).inserted else { return nil }
        return CommandOverview(
          place: scope.title, name: command.name,
          keys: configuration.keymap.names(of: command),
          help: command.isInPalette ? "\(command.title): \(command.help)" : command.help)
      }
    }
  }
}
