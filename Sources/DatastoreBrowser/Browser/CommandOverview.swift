import TerminalUI

/// A command as texts, for lists outside the browser.
package struct CommandOverview: Hashable, Sendable {
  /// The heading of its scope.
  package let place: String
  /// The name in the configuration.
  package let name: String
  /// The keys as they are bound, and the short names in the palette: `:w`.
  package let keys: [String]
  /// The title in the palette, if it is there, and a sentence.
  package let help: String

  /// All commands in the order of the help, each in the first scope where it applies.
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
