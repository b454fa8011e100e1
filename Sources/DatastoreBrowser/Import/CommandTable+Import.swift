import TerminalUI

extension CommandTable {
  static let importCommands: [Command] = [
    Command(
      "import", titled: "Import file", synonyms: ["load", "csv", "tsv", "json", "excel"],
      keys: ["P"], label: "import",
      help:
        "Import a CSV, TSV, JSON or JSON Lines file, a sheet of a workbook, or a file in an archive, after a "
        + "preview.", hintRank: 60, unless: .cannotImport,
      taking: Command.Argument("FILE", isPath: true) { $0.openImport($1) }
    ) { $0.open(PathPrompt(.importing)) },
    Command(
      "import-progress", synonyms: ["load"], keys: ["ctrl-t"], label: "import",
      help:
        "Show the progress of the running import, or the result of the last one, with a table of the records "
        + "that it left out; esc cancels a running one.", unless: .noImport
    ) { $0.openImportProgress() },
    Command(
      "import-type", keys: ["t"], label: "type",
      help: "Pick the type of this column in a new table.", in: [ImportForm.scope], hintRank: 3
    ) { $0.changeImportType() },
    Command(
      "begin-import", keys: ["I", "ctrl-s"], label: "import", help: "Begin the import.",
      in: [ImportForm.scope], hintRank: 2
    ) { $0.beginImport() },
  ]
}

extension DisabledReason {
  /// The file is read-only, or another import is running.
  static let cannotImport = DisabledReason { state in
    if let reason = cannotStage.reason(state) { return reason }
    return state.importing.isRunning
      ? "An import is running; wait until it ends, or press esc to cancel it." : nil
  }

  static let noImport = DisabledReason {
    $0.importing.run == nil ? "Nothing has been imported yet; P imports a file." : nil
  }
}

extension PathPrompt.Purpose {
  /// Import the rows of the file.
  static let importing = PathPrompt.Purpose(
    title: "Import", demand: "Type the path of a CSV, TSV, JSON or JSON Lines file."
  ) { state, path in
    state.closeOverlay()
    state.openImport(path)
  }
}
