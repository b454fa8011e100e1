import DatastoreCore
import TerminalUI

extension CommandTable {
  private static let pickers: Set<CommandScope> = [.valuePicker, .objectPicker]

  /// What can be done in lists to pick from.
  static let pickerCommands: [Command] =
    [
      picking(
        "pick", label: "choose", "Choose the line under the cursor.", in: [], wherever: [.picks]),
      closing(
        "close-picker", "Close the list, and choose nothing.", in: [], wherever: [.picks],
        label: "cancel", hintRank: 2),
      Command(
        "pick-null", keys: ["ctrl-n"], label: "NULL", help: "Pick NULL.",
        in: pickers.union([.blobEditor]), hintRank: 3
      ) { $0.pickNull() },
    ] + moving("pick", "in the list", in: [], wherever: [.picks], hintRank: 4)

  /// What can be done with bytes, and with the path of a file.
  static let blobCommands: [Command] = [
    Command(
      "save-bytes", keys: ["s"], label: "save to file", help: "Write the bytes to a file.",
      in: [.blobEditor], hintRank: 1, unless: .noBytes
    ) { $0.openPathPrompt(PathPrompt.Purpose.saveValue) },
    Command(
      "load-bytes", keys: ["l"], label: "load from file",
      help: "Load the value from a file.", in: [.blobEditor], hintRank: 2
    ) { $0.openPathPrompt(PathPrompt.Purpose.loadValue) },
    Command(
      "edit-externally", keys: ["ctrl-e"], label: "$EDITOR",
      help: "Edit the text in your own editor: $VISUAL, $EDITOR, else vi.",
      in: [.blobEditor, .cellEditor], hintRank: 4, unless: .noText
    ) { $0.editExternally() },
    closing(
      "close-bytes", "Leave the bytes as they were.", in: [.blobEditor], label: "cancel",
      hintRank: 2),
    Command(
      "accept-path", keys: ["enter"], label: "accept", help: "Use the file of this path.",
      in: [.pathPrompt], hintRank: 1
    ) { $0.acceptPath() },
    Command(
      "complete-path", keys: ["tab"], label: "complete",
      help: "Complete the path.", in: [.pathPrompt], hintRank: 2
    ) { state in
      guard let prompt = state.overlay(as: PathPrompt.self) else { return }
      state.request(.completePath(prompt.field.text))
    },
    closing("close-path", "Use no file.", in: [.pathPrompt], label: "cancel", hintRank: 2),
  ]

  /// What can be done with the members of relationships.
  static let memberCommands: [Command] = [
    Command(
      "add-member", synonyms: ["relationship", "link"], keys: ["a"], label: "add",
      help: "Add an object to this to-many relationship.", in: [.detail], hintRank: 5,
      unless: .noMembersHere
    ) { $0.beginEdit() },
    Command(
      "remove-member", synonyms: ["relationship", "unlink"], keys: ["D", "dd"], label: "remove",
      help: "Remove this object from the to-many relationship; it is not deleted.",
      in: [.detail], hintRank: 46, unless: .noMemberHere
    ) { $0.removeMember() },
  ]
}
