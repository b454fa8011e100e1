import DatastoreCore
import TerminalUI

extension CommandTable {
  private static let pickers: Set<CommandScope> = [.valuePicker, .objectPicker]
  private static let lists = pickers.union([.importPicker])

  /// What can be done in lists to pick from.
  static let pickerCommands: [Command] = [
    Command(
      "pick", keys: ["enter"], label: "pick", help: "Take the line under the cursor.",
      in: lists, hintRank: 1
    ) { $0.pick() },
    closing("close-picker", "Pick nothing.", in: lists),
    Command(
      "pick-null", keys: ["ctrl-n"], label: "NULL", help: "Pick NULL.",
      in: pickers.union([.blobEditor]), hintRank: 3
    ) { $0.pickNull() },
    step("pick-down", .lineDown, ["down"], "Go one line down in the list.", hintRank: 4),
    step("pick-up", .lineUp, ["up"], "Go one line up in the list."),
    step("pick-page-down", .pageDown, ["pgdn"], "Go one screen down in the list."),
    step("pick-page-up", .pageUp, ["pgup"], "Go one screen up in the list."),
  ]

  private static func step(
    _ name: String, _ movement: Movement, _ keys: [Key], _ help: String, hintRank: Int? = nil
  ) -> Command {
    Command(
      name, keys: keys, label: "move", help: help, in: lists, hintRank: hintRank, hintKeys: "↑↓"
    ) { $0.move(movement) }
  }

  private static func closing(
    _ name: String, _ help: String, in scopes: Set<CommandScope>
  ) -> Command {
    Command(name, keys: ["esc", "ctrl-c"], label: "cancel", help: help, in: scopes, hintRank: 2) {
      state in
      state.closeOverlay()
      return []
    }
  }

  /// What can be done with bytes, and with the path of a file.
  static let blobCommands: [Command] = [
    Command(
      "save-bytes", keys: ["s"], label: "save to file", help: "Write the bytes to a file.",
      in: [.blobEditor], hintRank: 1, unless: .noBytes
    ) { $0.openPathPrompt(.saveValue) },
    Command(
      "load-bytes", keys: ["l"], label: "load from file",
      help: "Make the bytes of a file the value.", in: [.blobEditor], hintRank: 2
    ) { $0.openPathPrompt(.loadValue) },
    Command(
      "edit-externally", keys: ["ctrl-e"], label: "$EDITOR",
      help: "Edit the text in your own editor: $VISUAL, $EDITOR, else vi.",
      in: [.blobEditor, .cellEditor], hintRank: 4, unless: .noText
    ) { $0.editExternally() },
    closing("close-bytes", "Leave the bytes as they were.", in: [.blobEditor]),
    Command(
      "accept-path", keys: ["enter"], label: "accept", help: "Use the file of this path.",
      in: [.pathPrompt], hintRank: 1
    ) { $0.acceptPath() },
    Command(
      "complete-path", keys: ["tab"], label: "complete",
      help: "Complete the path as far as the names of files allow.", in: [.pathPrompt], hintRank: 2
    ) { state in
      guard let prompt = state.overlay(as: PathPrompt.self) else { return [] }
      return [.completePath(prompt.field.text)]
    },
    closing("close-path", "Use no file.", in: [.pathPrompt]),
  ]

  /// What can be done with the members of relationships.
  static let memberCommands: [Command] = [
    Command(
      "add-member", keys: ["a"], label: "add",
      help: "Add an object to this to-many relationship.", in: [.detail], hintRank: 5,
      unless: .noMembersHere
    ) { $0.beginEdit() },
    Command(
      "remove-member", keys: ["D"], label: "remove",
      help: "Take this object out of the to-many relationship; it is not deleted.",
      in: [.detail], hintRank: 46, unless: .noMemberHere
    ) { $0.removeMember() },
  ]
}
