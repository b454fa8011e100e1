import DatastoreTestSupport
import Foundation
import TerminalUI
import Testing

@testable import DatastoreBrowser

@Suite struct ConfigurationTests {
  private func fault(_ yaml: String) -> String? {
    do {
      _ = try Configuration(yaml: yaml, file: "c.yaml")
      return nil
    } catch {
      return error.description
    }
  }

  @Test func readsThemeAndKeys() throws {
    let configuration = try Configuration(
      yaml: """
        # mine
        theme: datastore-light
        keys:
          sort: [f6, ctrl-t]
          quit: ctrl-q
          macro-replay: []
        """, file: "c.yaml")
    #expect(configuration.theme == "datastore-light")
    let keymap = configuration.keymap
    #expect(keymap.command(for: "f6", in: .table)?.name == "sort")
    #expect(keymap.command(for: "ctrl-t", in: .table)?.name == "sort")
    #expect(keymap.command(for: "s", in: .table) == nil)
    #expect(keymap.command(for: "ctrl-q", in: .detail)?.name == "quit")
    #expect(keymap.command(for: "q", in: .detail) == nil)
    #expect(keymap.command(for: "@", in: .table) == nil)
    #expect(keymap.command(for: "gb", in: .table)?.name == "group")
  }

  // Promise: a text is typed beside a list → ctrl-n and ctrl-p go through that wherever they are free; what
  // is bound to them otherwise stays.
  @Test func controlNAndPMoveWhereverTheyAreFree() throws {
    let keymap = try Configuration(yaml: "keys: {complete: ctrl-p}", file: "c.yaml").keymap
    for scope in CommandTable.standard.scopes where scope.traits.contains(.moves) {
      let down = Keymap.standard.command(for: "ctrl-n", in: scope)?.name
      let up = Keymap.standard.command(for: "ctrl-p", in: scope)?.name
      let isEditor = [ValuePicker.scope, ObjectPicker.scope, .filterValue].contains(scope)
      #expect(down == (isEditor ? "set-null" : "down"), "\(scope.name)")
      #expect(up == "up", "\(scope.name)")
      let isGivenAway = scope.traits.contains(.completes)
      #expect(
        keymap.command(for: "ctrl-p", in: scope)?.name == (isGivenAway ? "complete" : "up"),
        "\(scope.name)")
    }
    #expect(Keymap.standard.command(for: "ctrl-n", in: .table) == nil)
    #expect(Keymap.standard.command(for: "ctrl-p", in: .table)?.name == "palette")
  }

  @Test func aKeyThatIsGivenAwayIsShownForItsOldCommandNoMore() throws {
    let keymap = try Configuration(yaml: "keys: {sort: g}", file: "c.yaml").keymap
    #expect(keymap.command(for: "g", in: .table)?.name == "sort")
    let group = try #require(CommandTable.standard.named("group"))
    #expect(keymap.keys(of: group).isEmpty)
    #expect(keymap.hint(of: group) == nil)
  }

  @Test(arguments: ["", "# nothing\n", "{}", "keys: {}"])
  func emptyFilesChangeNothing(_ yaml: String) throws {
    let configuration = try Configuration(yaml: yaml, file: "c.yaml")
    #expect(configuration.theme == nil)
    #expect(configuration.keymap.command(for: "s", in: .table)?.name == "sort")
  }

  @Test func faultsNameFileLineAndRemedy() {
    #expect(
      fault("theme: dark\ncolour: red\n")
        == "The configuration c.yaml, line 2 cannot be used: “colour” is unknown; the keys are theme, "
        + "glyphs, mouse, screen-reader, identifiers and keys.")
    #expect(
      fault("identifiers: first\n")
        == "The configuration c.yaml, line 1 cannot be used: identifiers must be last or in-place.")
    #expect(
      fault("keys:\n  srot: x\n")
        == "The configuration c.yaml, line 2 cannot be used: there is no command “srot”; did you mean "
        + "“sort”?")
    #expect(
      fault("keys:\n  sort: hyper-x\n")?.contains("line 2 cannot be used: “hyper-x” is not a key")
        == true)
    #expect(
      fault("keys:\n  sort: x\n  group: x\n")
        == "The configuration c.yaml, line 3 cannot be used: the key x is given to sort and to group, "
        + "which both apply in the table.")
    #expect(fault("- a\n")?.contains("mapping") == true)
    #expect(fault("keys: 3\n")?.contains("keys must map") == true)
    #expect(fault("a: [b\n")?.contains("not valid YAML") == true)
    #expect(fault("theme: [a]\n")?.contains("theme must be") == true)
  }

  @Test func glyphsMouseAndScreenReaderAreRead() throws {
    let configuration = try Configuration(
      yaml: "glyphs: ascii\nmouse: off\nscreen-reader: on\n", file: "c.yaml")
    #expect(configuration.glyphs == .ascii)
    #expect(!configuration.usesMouse)
    #expect(configuration.isForScreenReader)
    #expect(Configuration.standard.usesMouse)
    #expect(Configuration.standard.glyphs == nil)
    #expect(
      fault("glyphs: fancy\n")
        == "The configuration c.yaml, line 1 cannot be used: glyphs must be unicode or ascii.")
    #expect(
      fault("theme: x\nmouse: 3\n")
        == "The configuration c.yaml, line 2 cannot be used: mouse must be on or off.")
  }

  @Test func missingFilesAreNamed() {
    #expect {
      try Configuration(contentsOfFile: "/nowhere/c.yaml")
    } throws: {
      "\($0)".contains("/nowhere/c.yaml cannot be used: it cannot be read")
    }
  }

  /// Whatever the bytes are, reading ends with a configuration or a sentence.
  @Test func randomTextNeverTraps() {
    let seed = RandomCases.seed()
    var random = SeededRandom(seed: seed)
    let pieces = [
      "keys", "theme", ": ", "\n", "  ", "- ", "[", "]", "{", "}", "sort", "x", "ctrl-x", "\"", "'",
      "#", "&a", "*a", "|", ">", "!!str", "\t", "é", "\u{0}", "? ", "~", "null",
    ]
    for number in 0..<RandomCases.count {
      let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }.joined()
      if let sentence = fault(text) {
        #expect(
          sentence.hasPrefix("The configuration c.yaml"), "seed \(seed), text \(number): \(text)")
      }
    }
  }
}
