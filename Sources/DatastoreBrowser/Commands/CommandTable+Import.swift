import TerminalUI

extension CommandTable {
  /// Importing files.
  static let importCommands: [Command] = [
    Command(
      "import", keys: ["P"], label: "import",
      help: "Import a CSV, TSV, JSON or JSON Lines file; how it is read is shown before.",
      in: CommandScope.panels, hintRank: 60, unless: .cannotImport,
      taking: Command.Argument("FILE", isPath: true) { $0.openImport($1) }
    ) { state in
      state.open(ImportPrompt())
      return []
    },
    Command(
      "import-progress", keys: ["ctrl-t"], label: "import",
      help: "Look at the import that runs or was last, and at the records that it left out.",
      in: CommandScope.panels, unless: .noImport
    ) { state in
      state.open(ImportScreen())
      return []
    },
    Command(
      "accept-import-path", keys: ["enter"], label: "accept",
      help: "Look at the file of this path.",
      in: [.importPrompt], hintRank: 1
    ) { state in
      state.handleInOverlay { overlay, state in
        guard var prompt = overlay as? ImportPrompt else { return [] }
        defer { overlay = prompt }
        return prompt.accept(in: &state)
      }
    },
    Command(
      "complete-import-path", keys: ["tab"], label: "complete",
      help: "Complete the path of the file as far as names allow.", in: [.importPrompt], hintRank: 2
    ) { state in
      guard let prompt = state.overlay(as: ImportPrompt.self) else { return [] }
      return [.completePath(prompt.field.text)]
    },
    closing("close-import-path", "Import no file.", ["esc", "ctrl-c"], in: .importPrompt),
    Command(
      "change-import", keys: ["enter", "e"], label: "change",
      help: "Change this line of the import; on the last line, begin.", in: [.importForm],
      hintRank: 1
    ) { $0.changeImportLine() },
    Command(
      "import-type", keys: ["t"], label: "type",
      help: "Pick the type of this column in a new table.", in: [.importForm], hintRank: 3
    ) { $0.changeImportType() },
    Command(
      "skip-import-column", keys: ["space", "x"], label: "leave out",
      help: "Leave this column out of the import, or take it in again.", in: [.importForm],
      hintRank: 4
    ) { $0.toggleImportColumn() },
    Command(
      "begin-import", keys: ["I", "ctrl-s"], label: "import", help: "Begin the import.",
      in: [.importForm], hintRank: 2
    ) { $0.beginImport() },
    closing(
      "close-import", "Import nothing.", ["esc", "q", "ctrl-c"], in: .importForm),
    Command(
      "cancel-import", keys: ["x"], label: "cancel the import",
      help: "Cancel the import that runs; what has been written stays.", in: [.importScreen],
      hintRank: 1, unless: .noRunningImport
    ) { $0.askToCancelImport() },
    closing(
      "close-import-progress", "Close this view of the import, which goes on.",
      ["esc", "q", "enter", "ctrl-t", "ctrl-c"], in: .importScreen),
  ]

  private static func closing(
    _ name: String, _ help: String, _ keys: [Key], in scope: CommandScope
  ) -> Command {
    Command(name, keys: keys, label: "close", help: help, in: [scope], hintRank: 6) { state in
      state.closeOverlay()
      return []
    }
  }
}

extension Obstacle {
  /// The file cannot be written, or another import runs.
  static let cannotImport = Obstacle { state in
    if let reason = cannotStage.reason(state) { return reason }
    return state.importing.isRunning
      ? "An import is running; wait for its end, or cancel it with esc." : nil
  }

  static let noImport = Obstacle {
    $0.importing.run == nil ? "Nothing has been imported yet; P imports a file." : nil
  }

  static let noRunningImport = Obstacle {
    $0.importing.isRunning ? nil : "The import has ended."
  }
}
