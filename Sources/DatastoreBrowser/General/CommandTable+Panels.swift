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

  /// What can be done with the panels themselves, and going from place to place.
  static let panelCommands: [Command] = [
    Command(
      "next-panel", keys: ["tab"], label: "panel", help: "Go to the next panel.",
      in: CommandScope.panels,
      hintRank: 80
    ) { state in
      state.moveFocus(by: 1)
      return []
    },
    Command(
      "previous-panel", keys: ["shift-tab"], label: "previous panel",
      help: "Go to the previous panel.", in: CommandScope.panels
    ) { state in
      state.moveFocus(by: -1)
      return []
    },
    Command(
      "toggle-detail", keys: ["v"], label: "details", help: "Show or hide the details.",
      in: CommandScope.panels, hintRank: 82
    ) { state in
      state.showsDetail.toggle()
      if state.focus == .detail { state.focus = .table }
      return []
    },
    Command(
      "toggle-entities", keys: ["ctrl-e"], label: "entities",
      help: "Show or hide the list of entities.", in: CommandScope.panels, hintRank: 83
    ) { state in
      state.panes.showsEntities.toggle()
      if state.focus == .entities { state.focus = .table }
      return []
    },
    Command(
      "zoom", keys: ["m"], label: "zoom",
      help: "Zoom this panel to the whole screen; press again to show all panels.",
      in: CommandScope.panels, hintRank: 84
    ) { state in
      state.panes.isZoomed.toggle()
      return []
    },
    Command(
      "smaller-panel", keys: ["("], label: "smaller", help: "Make this panel smaller.",
      in: CommandScope.panels, unless: .zoomed
    ) { state in
      state.resizePanel(by: -1)
      return []
    },
    Command(
      "larger-panel", keys: [")"], label: "larger", help: "Make this panel larger.",
      in: CommandScope.panels, unless: .zoomed
    ) { state in
      state.resizePanel(by: 1)
      return []
    },
    Command(
      "back", keys: ["backspace"], label: "back",
      help: "Go back to where a relationship was followed, or another entity chosen.",
      in: CommandScope.panels,
      hintRank: 6,
      unless: .noHistory
    ) { $0.goBack() },
    Command(
      "forward", keys: ["="], label: "forward",
      help: "Go forward to where you last went back from.", in: CommandScope.panels, hintRank: 7,
      unless: .noForwardHistory
    ) { $0.goForward() },
  ]
}

extension DisabledReason {
  static let zoomed = DisabledReason {
    $0.panes.isZoomed ? "This panel fills the screen. Press m to show all panels." : nil
  }
}
