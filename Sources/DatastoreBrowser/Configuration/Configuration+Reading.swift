import DatastoreCore
internal import Gates
import TerminalUI
internal import Yams

extension Configuration {
  /// Reads a configuration file.
  ///
  /// - Throws: `ConfigurationError`, which names the file, the line and the reason.
  package init(contentsOfFile path: String) throws(ConfigurationError) {
    let bytes: [UInt8]
    do {
      bytes = try ReadableFile.contents(of: path, atMost: 1 << 20)
    } catch {
      throw ConfigurationError(
        file: path, line: nil, reason: "it cannot be read (\(error.reason)).")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ConfigurationError(file: path, line: nil, reason: "it is not UTF-8 text.")
    }
    try self.init(yaml: text, file: path)
  }

  /// Reads a configuration from YAML; errors name `file`.
  ///
  /// - Throws: `ConfigurationError`.
  package init(yaml: String, file: String) throws(ConfigurationError) {
    self = .standard
    let document: Node?
    do {
      document = try YAMLText.compose(yaml)
    } catch {
      throw ConfigurationError(
        file: file, line: nil, reason: "it is not valid YAML. \(YAMLFault.reason(error)).")
    }
    // A file of comments only has no document.
    guard let document, document.null == nil else { return }
    guard let top = document.mapping else {
      throw ConfigurationError(
        file: file, line: document.mark?.line,
        reason: "a mapping such as “theme: dark” is expected.")
    }
    for (key, value) in top {
      switch key.string {
      case "theme":
        guard let name = value.scalar?.string, !name.isEmpty else {
          throw ConfigurationError(
            file: file, line: value.mark?.line,
            reason: "theme must be the name of a theme or the path of a scheme file.")
        }
        theme = name
      case "glyphs":
        guard let name = value.scalar?.string, let set = Self.glyphSets[name] else {
          throw ConfigurationError(
            file: file, line: value.mark?.line, reason: "glyphs must be unicode or ascii.")
        }
        glyphs = set
      case "mouse": usesMouse = try Self.flag(value, "mouse", file: file)
      case "screen-reader":
        isForScreenReader = try Self.flag(value, "screen-reader", file: file)
      case "identifiers":
        switch value.scalar?.string {
        case "last": keepsIdentifiersInPlace = false
        case "in-place": keepsIdentifiersInPlace = true
        default:
          throw ConfigurationError(
            file: file, line: value.mark?.line, reason: "identifiers must be last or in-place.")
        }
      case "keys": keymap = try Self.keymap(value, file: file)
      default:
        throw ConfigurationError(
          file: file, line: key.mark?.line,
          reason: "“\(Self.shown(key.string))” is unknown; the keys are theme, glyphs, mouse, "
            + "screen-reader, identifiers and keys.")
      }
    }
  }

  /// A value of the file, cut to fit into a sentence.
  private static func shown(_ text: String?) -> String {
    guard let text else { return "?" }
    return text.count > 60 ? text.prefix(60) + "…" : text
  }

  private static let glyphSets: [String: GlyphSet] = ["unicode": .unicode, "ascii": .ascii]

  /// A boolean, in the spellings of YAML and of people.
  private static func flag(
    _ node: Node, _ name: String, file: String
  ) throws(ConfigurationError) -> Bool {
    switch node.scalar?.string.lowercased() {
    case "on", "yes", "true": return true
    case "off", "no", "false": return false
    default:
      throw ConfigurationError(
        file: file, line: node.mark?.line, reason: "\(name) must be on or off.")
    }
  }

  private static func keymap(_ node: Node, file: String) throws(ConfigurationError) -> Keymap {
    guard let mapping = node.mapping else {
      throw ConfigurationError(
        file: file, line: node.mark?.line,
        reason: "keys must map commands to keys, such as “sort: [s, f5]”.")
    }
    var changes: [String: [KeySequence]] = [:]
    var lines: [String: Int] = [:]
    for (name, value) in mapping {
      let command = name.string ?? ""
      lines[command] = name.mark?.line
      changes[command] = try keys(value, of: command, file: file)
    }
    do {
      return try Keymap(.standard, changing: changes)
    } catch {
      switch error {
      case .unknownCommand(let name):
        let names = CommandTable.standard.all.map(\.name)
        let hint =
          Suggestion.closest(to: name, in: names).map { "did you mean “\($0)”?" }
          ?? "“datastore commands” lists them all."
        throw ConfigurationError(
          file: file, line: lines[name], reason: "there is no command “\(shown(name))”; \(hint)")
      case .claimedTwice(let key, let first, let second, let scope):
        throw ConfigurationError(
          file: file, line: lines[second],
          reason: "the key \(key) is given to \(first) and to \(second), which both apply "
            + "\(scope.title.lowercasedFirst).")
      }
    }
  }

  /// The keys of one command: one, or a list of them.
  private static func keys(
    _ node: Node, of command: String, file: String
  ) throws(ConfigurationError) -> [KeySequence] {
    let nodes = node.sequence.map(Array.init) ?? [node]
    var keys: [KeySequence] = []
    for node in nodes {
      guard let text = node.scalar?.string, let key = KeySequence(text) else {
        throw ConfigurationError(
          file: file, line: node.mark?.line,
          reason:
            "“\(shown(node.scalar?.string))” is not a key for \(shown(command)); keys are written "
            + "like x, ?, ctrl-x, alt-x, shift-up, f5, enter, esc, space, pgdn, or gx for g and then x."
        )
      }
      keys.append(key)
    }
    return keys
  }
}

extension String {
  fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
