import DatastoreCore
import TerminalUI

extension CommandTable {
  /// The commands of the list of entities.
  static let entityCommands: [Command] = [
    Command(
      "open-entity", synonyms: ["table", "browse"], keys: ["enter"], label: "open",
      help: "Show the table of this entity.",
      in: [.entities], hintRank: 1,
      unless: .noEntities
    ) { $0.openSelectedEntity() }
  ]

  static let detailCommands: [Command] = [
    Command(
      "follow-or-edit", synonyms: ["relationship", "change"], keys: ["enter"],
      label: "follow, edit",
      help: "Follow this relationship; edit this attribute.", in: [.detail], hintRank: 1,
      unless: .cannotFollowOrEdit
    ) { state in
      if state.reasonNotToFollow == nil {
        state.followCurrent()
      } else {
        state.beginEdit()
      }
    },
    Command(
      "follow", titled: "Follow relationship", synonyms: ["jump", "related", "reference"],
      keys: ["o"], label: "follow",
      help: "Go to the related object, or to a table of the members of this relationship.",
      in: [.detail], unless: .nothingToFollow
    ) { $0.followCurrent() },
  ]

  /// The commands for panels, and for going from place to place.
  static let panelCommands: [Command] = [
    Command(
      "next-panel", synonyms: ["pane", "window"], keys: ["tab"], label: "panel",
      help: "Go to the next panel.", hintRank: 80
    ) { $0.moveFocus(by: 1) },
    Command(
      "previous-panel", synonyms: ["pane", "window"], keys: ["shift-tab"], label: "previous panel",
      help: "Go to the previous panel."
    ) { $0.moveFocus(by: -1) },
    Command(
      "toggle-detail", titled: "Show details", synonyms: ["hide", "pane", "fields", "record"],
      keys: ["v"], label: "details", help: "Show or hide the details.", hintRank: 82
    ) { $0.toggleDetail() },
    Command(
      "toggle-entities", titled: "Show entities", synonyms: ["hide", "sidebar", "tables", "tree"],
      keys: ["ctrl-e"], label: "entities",
      help: "Show or hide the list of entities.", hintRank: 83
    ) { $0.toggleEntities() },
    Command(
      "zoom", titled: "Zoom panel", synonyms: ["maximize", "maximise", "fullscreen"], keys: ["m"],
      label: "zoom",
      help: "Zoom this panel to the whole screen; press again to show all panels.", hintRank: 84
    ) { $0.panes.isZoomed.toggle() },
    Command(
      "smaller-panel", synonyms: ["shrink", "resize", "pane"], keys: ["("], label: "smaller",
      help: "Make this panel smaller.", unless: .zoomed
    ) { $0.resizePanel(by: -1) },
    Command(
      "larger-panel", synonyms: ["grow", "resize", "pane"], keys: [")"], label: "larger",
      help: "Make this panel larger.", unless: .zoomed
    ) { $0.resizePanel(by: 1) },
    Command(
      "back", titled: "Go back", synonyms: ["previous", "history"], keys: ["backspace"],
      label: "back",
      help: "Go back to where a relationship was followed, or another entity chosen.", hintRank: 6,
      unless: .noHistory
    ) { $0.goBack() },
    Command(
      "forward", titled: "Go forward", synonyms: ["history"], keys: ["="], label: "forward",
      help: "Go forward to where you last went back from.", hintRank: 7,
      unless: .noForwardHistory
    ) { $0.goForward() },
  ]
}

extension DisabledReason {
  static let zoomed = DisabledReason {
    $0.panes.isZoomed ? "This panel fills the screen. Press m to show all panels." : nil
  }
}
