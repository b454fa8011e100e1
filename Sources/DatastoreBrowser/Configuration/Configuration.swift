package import TerminalUI

/// The user's configuration of the browser: its theme and its keys.
///
/// The file is YAML, at `$XDG_CONFIG_HOME/datastore/config.yaml`:
///
/// ```yaml
/// theme: datastore-light    # as --theme takes it
/// glyphs: ascii             # or unicode: what lines and marks are drawn with
/// mouse: off                # the terminal's own selection of text works then
/// screen-reader: on         # plain lines that are spoken, no painted screen
/// identifiers: in-place     # or last: whether columns of keys and UUIDs are behind the others
/// keys:
///   sort: [s, f5]           # command: key or keys, in the form that the help shows
///   quit: ctrl-q
///   macro-replay: []        # no key; the palette still has it
/// ```
///
/// `datastore commands` lists the names of the commands with their keys.
package struct Configuration: Sendable {
  /// The name of the theme or the path of its file; nil for none.
  package var theme: String?
  /// The glyphs to draw with; nil for those that the locale allows.
  package var glyphs: GlyphSet?
  /// Whether the browser receives mouse events.
  package var usesMouse = true
  /// Whether the browser writes lines for a screen reader in place of painting a screen.
  package var isForScreenReader = false
  /// Whether identifier columns keep their place in the file's order.
  package var keepsIdentifiersInPlace = false
  /// The keys of the commands.
  var keymap: Keymap

  /// The configuration without a file.
  package static let standard = Configuration(theme: nil, keymap: .standard)
}

/// Why a configuration file cannot be used.
package struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the file as it was given.
  package var file: String
  /// The invalid line, from 1; nil for a fault of the whole file.
  package var line: Int?
  /// What is wrong and what is expected: the end of a sentence.
  package var reason: String

  package var description: String {
    let place = line.map { ", line \($0)" } ?? ""
    return "The configuration \(file)\(place) cannot be used: \(reason)"
  }
}
