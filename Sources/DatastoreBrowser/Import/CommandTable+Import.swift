import TerminalUI

extension CommandTable {
  /// Importing files.
  static let importCommands: [Command] = [
    Command(
      "import", titled: "Import file", synonyms: ["load", "csv", "tsv", "json", "excel"],
      keys: ["P"], label: "import",
      help: "Import a CSV, TSV, JSON or JSON Lines file, after a preview.",
      in: CommandScope.panels, hintRank: 60, unless: .cannotImport,
      taking: Command.Argument("FILE", isPath: true) { $0.openImport($1) }
    ) { $0.open(PathPrompt(.importing)) },
    Command(
      "import-progress", synonyms: ["load"], keys: ["ctrl-t"], label: "import",
      help: "Show the running or last import, and the records that it left out.",
      in: CommandScope.panels, unless: .noImport
    ) { $0.open(ImportScreen()) },
    Command(
      "import-type", keys: ["t"], label: "type",
      help: "Pick the type of this column in a new table.", in: [.importForm], hintRank: 3
    ) { $0.changeImportType() },
    Command(
      "begin-import", keys: ["I", "ctrl-s"], label: "import", help: "Begin the import.",
      in: [.importForm], hintRank: 2
    ) { $0.beginImport() },
    Command(
      "cancel-import", keys: ["x"], label: "cancel the import",
      help: "Cancel the running import; rows already written stay.", in: [.importScreen],
      hintRank: 1, unless: .noRunningImport
    ) { $0.askToCancelImport() },
    Command(
      "export-faults", keys: ["E"], label: "export",
      help: "Write the records that were left out to a file, with their places and the reasons.",
      in: [.importScreen], hintRank: 2, unless: .noFaults
    ) { $0.exportFaults() },
  ]
}

extension DisabledReason {
  /// The file cannot be written, or another import runs.
  static let cannotImport = DisabledReason { state in
    if let reason = cannotStage.reason(state) { return reason }
    return state.importing.isRunning
      ? "An import is running; wait until it ends, or press esc to cancel it." : nil
  }

  static let noImport = DisabledReason {
    $0.importing.run == nil ? "Nothing has been imported yet; P imports a file." : nil
  }

  static let noFaults = DisabledReason {
    $0.importing.run?.faults.isEmpty == false ? nil : "No record has been left out."
  }

  static let noRunningImport = DisabledReason {
    $0.importing.isRunning ? nil : "The import has ended."
  }
}

extension PathPrompt.Purpose {
  /// The rows of the file are imported.
  static let importing = PathPrompt.Purpose(
    title: "Import", demand: "Type the path of a CSV, TSV, JSON or JSON Lines file."
  ) { state, path in
    state.closeOverlay()
    state.openImport(path)
  }
}
