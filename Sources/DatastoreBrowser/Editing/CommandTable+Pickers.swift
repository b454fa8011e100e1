import DatastoreCore
import TerminalUI

extension CommandTable {
  /// The commands for values of bytes.
  static let blobCommands: [Command] = [
    Command(
      "save-bytes", keys: ["s"], label: "save to file", help: "Write the bytes to a file.",
      in: [BlobEditor.scope], hintRank: 1, unless: .noBytes
    ) { $0.openPathPrompt(PathPrompt.Purpose.saveValue) },
    Command(
      "load-bytes", keys: ["l"], label: "load from file",
      help: "Load the value from a file.", in: [BlobEditor.scope], hintRank: 2
    ) { $0.openPathPrompt(PathPrompt.Purpose.loadValue) },
    Command(
      "edit-externally", keys: ["ctrl-e"], label: "$EDITOR",
      help: "Edit the text in your own editor: $VISUAL, $EDITOR, else vi.",
      in: [BlobEditor.scope, CellEditor.scope], hintRank: 4, unless: .noText
    ) { $0.editExternally() },
  ]

  /// The commands for the members of relationships.
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
