import Basics
import TerminalUI

/// Something the user can do. Keymap, footer and help are made from these records.
struct Command: Sendable {
  /// What may follow the command's name in the palette: `import data.csv`.
  struct Argument: Sendable {
    /// What it is, as the manual writes it: `FILE`.
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

  /// What it is known by, such as `sort`.
  let name: String
  /// Short names by which the palette finds it first, such as vi's `w`.
  let aliases: [String]
  /// What it does in one to three words, as the palette and lists of keys name it.
  let title: String
  /// Other words by which the palette finds it.
  let synonyms: [String]
  /// Whether the palette does it only when its whole name was typed: it leaves the browser, or discards
  /// changes.
  let needsWholeName: Bool
  /// The keys that do it; the first is the one that is shown.
  let keys: [KeySequence]
  /// A word or two for the footer.
  let label: String
  /// A sentence for the help.
  let help: String
  /// Where the keys do it.
  private(set) var scopes: Set<CommandScope>
  /// It applies in all scopes with one of these, too.
  let traits: Set<CommandScope.Trait>
  /// Its place in the footer, low numbers first; nil leaves it to the help.
  let hintRank: Int?
  /// What the footer shows instead of the first key: `↑↓` for a family of keys.
  let hintKeys: String?
  /// What may keep it from being done now.
  let disabledReason: DisabledReason
  /// Nil for commands that take nothing behind their name.
  let argument: Argument?
  let perform: @Sendable (inout BrowserState) -> Void

  /// - Parameter title: the words of the name without it.
  init(
    _ name: String, or aliases: [String] = [], titled title: String? = nil,
    synonyms: [String] = [], onlyByWholeName: Bool = false, keys: [KeySequence], label: String,
    help: String,
    in scopes: Set<CommandScope>,
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

  /// The same command in more places.
  func applying(in scopes: Set<CommandScope>) -> Command {
    var command = self
    command.scopes.formUnion(scopes)
    return command
  }

  /// Whether the palette has it: what is done in an overlay only is not done from there.
  var isInPalette: Bool {
    !scopes.isDisjoint(with: CommandScope.panels) || scopes.contains(.everywhere)
  }

  /// Why it cannot be done now, as a sentence; nil when it can.
  func reasonIfDisabled(_ state: BrowserState) -> String? { disabledReason.reason(state) }
}
