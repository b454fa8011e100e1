import DatastoreImport
import Foundation
import TerminalUI

@testable import DatastoreBrowser

extension FuzzTarget {
  static let theme = FuzzTarget(
    name: "theme",
    seeds: [
      """
      system: "base16"
      name: "Plain"
      author: "nobody"
      palette:
      \((0..<16).map { "  base0\(String($0, radix: 16, uppercase: true)): \"#\($0 < 8 ? "101010" : "f0f0f0")\"" }.joined(separator: "\n"))
      """,
      "scheme: Old\nbase00: '000000'\nbase01: \"111111\"\nbase0F: ffffff\n",
    ],
    words: yamlWords + [
      "palette:", "base00: ", "base0F: ", "base17: ", "\"#123456\"", "system: base24", "#",
      "123456",
    ],
    limit: 1_500,
    check: { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      do throws(ThemeError) {
        _ = try Theme(yaml: text, file: "theme.yaml")
        return []
      } catch {
        return sentence(error.description, of: bytes)
      }
    })

  static let configuration = FuzzTarget(
    name: "configuration",
    seeds: [
      "theme: dark\nkeys:\n  sort: [s, f5]\n  quit: ctrl-q\n  macro-replay: []\n",
      "# nothing\n", "keys: {sort: x, group: x}\n", "keys:\n  sort: ctrl-alt-shift-up\n",
    ],
    words: yamlWords + [
      "theme: ", "keys:", "  sort: ", "  quit: ", "ctrl-", "alt-", "shift-", "f5", "f99", "space",
      "esc", "é", "-",
    ],
    check: { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      do throws(ConfigurationError) {
        _ = try Configuration(yaml: text, file: "config.yaml")
        return []
      } catch {
        var broken = sentence(error.description, of: bytes)
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).count
        if let line = error.line, !(1...lines + 1).contains(line) {
          broken.append("an error is in line \(line) of \(lines)")
        }
        return broken
      }
    })

  static let manifest = FuzzTarget(
    name: "manifest",
    seeds: [
      """
      model: company
      files:
        - file: people.csv
          entity: Person
          key: id
          columns: {id: {type: integer}, name: {type: string}}
      """,
      "files:\n  - file: a.json\n    entity: A\n",
    ],
    words: yamlWords + [
      "files:", "  - file: ", "    entity: ", "    columns: ", "key: ", "model: ", "../",
      "type: date",
    ],
    check: { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      do {
        _ = try ImportManifest(yaml: text, path: "manifest.yaml")
        return []
      } catch {
        return sentence("\(error)", of: bytes)
      }
    })

  /// The remains of a crash, perhaps damaged.
  static let recovery = FuzzTarget(
    name: "recovery file",
    seeds: [
      """
      {"format":"datastore-recovery","store":"f.sqlite","version":1}
      {"changes":{"name":{"new":"b","old":"a"}},"entity":"employee","kind":"updated","object":1,"row":{"id":1}}
      {"changes":{"x":{"new":{"real":"0.1"},"old":{"blob":"AAE="}}},"entity":"e","kind":"inserted","object":{"new":2}}
      {"changes":{},"entity":"e","kind":"deleted","members":{"m":{"added":[{"key":["a",1]}],"removed":[]}},"object":3}
      """
    ],
    words: [
      "{", "}", "[", "]", "\"", ":", ",", "null", "1", "\"version\":", "\"objects\":", "\"kind\":",
      "updated", "text",
    ],
    check: { bytes in
      do {
        _ = try RecoveryDocument(Data(bytes)).description
        return []
      } catch {
        return sentence("\(error)", of: bytes)
      }
    })

  private static let yamlWords = [
    ":", ": ", "- ", "\n", "  ", "\t", "[", "]", "{", "}", "'", "\"", "&a ", "*a", "|\n", ">\n",
    "---\n", "...\n", "!!int ",
    "~", "null", "? ", "#", "%YAML 1.1\n", "\u{FEFF}", "\0", "é", "\\x41", "<<: *a", ",", "0",
    "[[[[[[[[",
  ]
}
