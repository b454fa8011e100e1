import TerminalUI
import Testing

@testable import DatastoreBrowser

@Suite struct CommandTests {
  // Promise: a key is bound as the beginning of others → the configuration is refused, or the longer ones
  // are off in that place; no command hides behind another one.
  // Also: `HabitTests.keysInARowAreBoundByTheConfiguration`
  @Test(arguments: CommandTable.standard.scopes)
  func noKeyIsBoundTwice(in scope: CommandScope) {
    var owners: [KeySequence: String] = [:]
    for command in CommandTable.standard.commands(in: scope) {
      for key in command.keys {
        #expect(
          owners[key] == nil,
          "\(key) is bound to \(owners[key] ?? "") and \(command.name) in \(scope)")
        owners[key] = command.name
      }
    }
    for (key, name) in owners {
      #expect(
        key.beginnings.allSatisfy { owners[$0] == nil },
        "\(key) of \(name) begins with what is a command by itself in \(scope)")
    }
  }

  @Test func everyCommandIsReachableAndDocumented() {
    for command in CommandTable.standard.all {
      // The palette lists the commands that apply in the panels.
      let isInPalette = !command.scopes.isDisjoint(with: CommandScope.panels)
      #expect(!command.keys.isEmpty || isInPalette, "\(command.name) cannot be reached")
      #expect(!command.scopes.isEmpty, "\(command.name) applies nowhere")
      #expect(!command.label.isEmpty, "\(command.name) has no label")
      #expect(command.help.hasSuffix("."), "the help of \(command.name) is not a sentence")
      #expect(command.help.first?.isUppercase == true, "\(command.name): \(command.help)")
      for scope in command.scopes {
        for key in command.keys where scope.takes(key, of: command) {
          #expect(Keymap.standard.command(for: key, in: scope)?.name == command.name)
        }
      }
    }
    let names = CommandTable.standard.all.map(\.name)
    #expect(Set(names).count == names.count)
  }

  @Test func theHelpHasEveryCommandOnceWithAllItsKeys() {
    let lines = HelpState(for: .table, keymap: .standard).lines(size: Size(columns: 200, rows: 60))
    for command in CommandTable.standard.all {
      let keys = Keymap.standard.names(of: command).joined(separator: " ")
      let found = lines.filter { line in
        guard case .command(let shown, let help) = line else { return false }
        return shown == keys && command.help.hasPrefix(help)
      }
      #expect(found.count == 1, "\(command.name)")
    }
  }

  @Test(arguments: [
    CommandScope.filter, .filterValue, .filterChoice, .savedFilters, .filterName,
  ])
  func typingInTheFilterIsNoCommand(scope: CommandScope) {
    for scalar in UInt8(ascii: " ")...UInt8(ascii: "~") {
      let key = KeySequence([Key(.character(Character(Unicode.Scalar(scalar))))])
      #expect(Keymap.standard.command(for: key, in: scope) == nil)
    }
  }
}
