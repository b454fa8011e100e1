import Basics
import TerminalUI

/// An action of the user. The keymap, the footer and the help are made from these records.
struct Command: Sendable {
  /// An argument after the command's name in the palette: `import data.csv`.
  struct Argument: Sendable {
    /// The name of the argument in the manual: `FILE`.
    let name: String
    /// Whether Tab completes it as the path of a file.
    let isPath: Bool
    let perform: @Sendable (inout BrowserState, String) -> Void

    init(
      _ name: String, isPath: Bool = false,
      perform: @escaping @Sendable (inout BrowserState, String) -> Void
    ) {
      self.name = name
      self.isPath = isPath
      self.perform = perform
    }
  }

  /// The unique name, such as `sort`.
  let name: String
  /// Short names that the palette finds first, such as vi's `w`.
  let aliases: [String]
  /// The action in one to three words, for the palette and lists of keys.
  let title: String
  /// Other words that find the command in the palette.
  let synonyms: [String]
  /// Whether the palette runs it only after its whole name was typed, because it leaves the browser or
  /// discards changes.
  let needsWholeName: Bool
  /// The keys; the first one is shown.
  let keys: [KeySequence]
  /// A word or two for the footer.
  let label: String
  /// A sentence for the help.
  let help: String
  /// The scopes of the keys.
  private(set) var scopes: Set<CommandScope>
  /// The command also applies in all scopes with one of these traits.
  let traits: Set<CommandScope.Trait>
  /// The rank in the footer, low numbers first; nil to appear only in the help.
  let hintRank: Int?
  /// The footer's text in place of the first key: `↑↓` for a family of keys.
  let hintKeys: String?
  /// The reason why the command may be disabled.
  let disabledReason: DisabledReason
  /// The argument; nil for commands without one.
  let argument: Argument?
  let perform: @Sendable (inout BrowserState) -> Void

  /// - Parameters:
  ///   - title: the action in words; by default the words of the name.
  ///   - scopes: by default the panels.
  init(
    _ name: String, or aliases: [String] = [], titled title: String? = nil,
    synonyms: [String] = [], onlyByWholeName: Bool = false, keys: [KeySequence], label: String,
    help: String,
    in scopes: Set<CommandScope> = CommandScope.panels,
    wherever traits: Set<CommandScope.Trait> = [], hintRank: Int? = nil, hintKeys: String? = nil,
    unless disabledReason: DisabledReason = .none, taking argument: Argument? = nil,
    perform: @escaping @Sendable (inout BrowserState) -> Void
  ) {
    self.name = name
    self.aliases = aliases
    let words = name.words(at: "-").joined(separator: " ")
    self.title = title ?? words.prefix(1).uppercased() + words.dropFirst()
    self.synonyms = synonyms
    needsWholeName = onlyByWholeName
    self.keys = keys
    self.label = label
    self.help = help
    self.scopes = scopes
    self.traits = traits
    self.hintRank = hintRank
    self.hintKeys = hintKeys
    self.disabledReason = disabledReason
    self.argument = argument
    self.perform = perform
  }

  /// The same command with more scopes.
  func applying(in scopes: Set<CommandScope>) -> Command {
    var command = self
    command.scopes.formUnion(scopes)
    return command
  }

  /// Whether the palette lists the command. Commands that apply only in overlays are not listed.
  var isInPalette: Bool {
    !scopes.isDisjoint(with: CommandScope.panels) || scopes.contains(.everywhere)
  }

  /// Why the command is disabled, as a sentence; nil if it is enabled.
  func reasonIfDisabled(_ state: BrowserState) -> String? { disabledReason.reason(state) }
}
