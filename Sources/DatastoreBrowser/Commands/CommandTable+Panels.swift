import DatastoreCore
import TerminalUI

extension CommandTable {
  /// What can be done in the list of entities.
  static let entityCommands: [Command] = [
    Command(
      "open-entity", keys: ["enter"], label: "open", help: "Show the table of this entity.",
      in: [.entities], hintRank: 1,
      unless: .noEntities
    ) { $0.openSelectedEntity() }
  ]

  /// What can be done in the details.
  static let detailCommands: [Command] = [
    Command(
      "follow-or-edit", keys: ["enter"], label: "follow, edit",
      help: "Follow this relationship; edit this attribute.", in: [.detail], hintRank: 1,
      unless: .cannotFollowOrEdit
    ) { state in
      state.reasonNotToFollow == nil ? state.followCurrent() : state.beginEdit()
    },
    Command(
      "follow", keys: ["o"], label: "follow",
      help: "Go to the related object, or to a table of the members of this relationship.",
      in: [.detail], unless: .nothingToFollow
    ) { $0.followCurrent() },
  ]
}
