import TerminalUI

/// Commands that many overlays have alike.
extension CommandTable {
  /// Closes the topmost overlay.
  static func closing(
    _ name: String, keys: [KeySequence] = ["esc", "ctrl-c"], _ help: String,
    in scopes: Set<CommandScope>, wherever traits: Set<CommandScope.Trait> = [],
    label: String = "close", hintRank: Int
  ) -> Command {
    Command(
      name, keys: keys, label: label, help: help, in: scopes, wherever: traits, hintRank: hintRank
    ) { $0.dismiss() }
  }

  /// Chooses the line under the cursor of a list.
  static func picking(
    _ name: String, keys: [KeySequence] = ["enter"], label: String, _ help: String,
    in scopes: Set<CommandScope>, wherever traits: Set<CommandScope.Trait> = [],
    hintRank: Int = 1, unless disabledReason: DisabledReason = .none
  ) -> Command {
    Command(
      name, keys: keys, label: label, help: help, in: scopes, wherever: traits, hintRank: hintRank,
      unless: disabledReason
    ) { $0.pick() }
  }

  /// Moving in lists that are narrowed down by typing, so that letters are not commands there.
  ///
  /// - Parameters:
  ///   - prefix: what the names begin with: `section` for `section-down`.
  ///   - place: where one moves, for the help: `in the list of sections`.
  ///   - lines: keys for one line down and up beside the arrows.
  ///   - hintRank: the place of the arrows in the footer; nil leaves them out.
  static func moving(
    _ prefix: String, _ place: String, in scopes: Set<CommandScope>,
    wherever traits: Set<CommandScope.Trait> = [],
    lines: (down: [KeySequence], up: [KeySequence]) = ([], []), hintRank: Int? = nil
  ) -> [Command] {
    let movements: [(String, Movement, [KeySequence], String)] = [
      ("down", .lineDown, ["down"] + lines.down, "Go one line down"),
      ("up", .lineUp, ["up"] + lines.up, "Go one line up"),
      ("page-down", .pageDown, ["pgdn"], "Go one screen down"),
      ("page-up", .pageUp, ["pgup"], "Go one screen up"),
    ]
    return movements.map { name, movement, keys, help in
      Command(
        "\(prefix)-\(name)", keys: keys, label: "move", help: "\(help) \(place).", in: scopes,
        wherever: traits,
        hintRank: name == "down" ? hintRank : nil, hintKeys: name == "down" ? "↑↓" : nil
      ) { $0.handleInOverlay { $0.move(movement, in: &$1) } }
    }
  }
}
