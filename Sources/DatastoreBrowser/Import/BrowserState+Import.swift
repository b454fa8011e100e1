import Basics
import DatastoreCore
import DatastoreImport
import TerminalUI

/// Importing files.
extension BrowserState {
  /// The most invalid records that are kept for the table of faults.
  static let keptImportFaults = 10_000

  /// Shows how a file would be imported, by default into the shown table.
  mutating func openImport(_ path: String) {
    importing.lastPreview += 1
    let shown = entity.flatMap { $0.isReadOnly ? nil : $0.index }
    let form = ImportForm(
      path, target: ImportForm.target(of: ImportForm.tableName(of: path), or: shown, in: schema),
      number: importing.lastPreview)
    open(form)
    request(.previewImport(form))
  }

  /// Edits the line of the form under the cursor, or starts the import.
  mutating func changeImportLine() {
    guard let form = overlay(as: ImportForm.self) else { return }
    let line = form.currentLine
    if line == .start { return beginImport() }
    let name = form.text(of: line, in: schema).name
    open(
      ImportPicker(
        name, form.choices(for: line, in: self), present: form.present(line), in: schema))
  }

  /// Applies the typed name of the new table.
  mutating func acceptImportName() {
    let schema = schema
    changeOverlay(as: ImportForm.self) { $0.acceptName(in: schema) }
  }

  /// Asks for the type of a new table's column.
  mutating func changeImportType() {
    guard let form = overlay(as: ImportForm.self) else { return }
    let types = form.types(of: form.currentLine)
    guard !types.isEmpty, case .column(let index) = form.currentLine else {
      return tell(
        "Only the columns of a new table have types to pick; a table that is there has its own.",
        .warning)
    }
    open(
      ImportPicker(
        form.text(of: form.currentLine, in: schema).name, types,
        present: .type(index, form.mappings[index].type), in: schema))
  }

  /// Applies the choice for a line of the form.
  mutating func applyToImport(_ choice: ImportChoice) {
    guard var form = overlay(as: ImportForm.self) else { return }
    let readsAgain = form.apply(choice, schema: schema)
    if readsAgain {
      importing.lastPreview += 1
      form.await(importing.lastPreview)
      request(.previewImport(form))
    }
    changeOverlay(as: ImportForm.self) { $0 = form }
  }

  /// Leaves a column out, or includes it again.
  mutating func toggleImportColumn() {
    guard let form = overlay(as: ImportForm.self), case .column(let index) = form.currentLine else {
      return
    }
    if form.mappings[index].property != nil { return applyToImport(.property(index, nil)) }
    let name = form.preview?.columns[index].name
    guard let entity = form.entity(in: schema) else {
      return applyToImport(.property(index, name))
    }
    let taken = Set(form.mappings.compactMap(\.property))
    let free = ImportForm.properties(of: entity).filter { !taken.contains($0) }
    guard let property = free.first(where: { $0 == name }) else { return changeImportLine() }
    applyToImport(.property(index, property))
  }

  /// Starts the import as the form says.
  mutating func beginImport() {
    guard let form = overlay(as: ImportForm.self) else { return }
    if let reason = form.disabledReason ?? DisabledReason.cannotImport.reason(self) {
      return tell(reason, .warning)
    }
    let source = form.source(in: schema)
    if case .newTable = form.target {
      guard editing.marks.isEmpty else {
        return tell("A new table reopens the file; save or revert your changes first.", .warning)
      }
      closeOverlay()
      importing.run = ImportState.Run(source: source)
      return request(.makeImportTable(source))
    }
    closeOverlay()
    beginImport(of: source)
  }

  /// Starts the import of a file, and shows the table that it fills.
  mutating func beginImport(of source: LoadSource, _ guess: GuessedTypes? = nil) {
    importing.run = ImportState.Run(source: source)
    if let entity = schema.entity(named: source.entityName), table?.query.entity != entity.index {
      entities.move(to: entity.index, height: layout.entityBody.rows)
      openSelectedEntity()
    }
    request(.startImport(source, guess))
  }

  /// Follows the progress of an import.
  mutating func apply(_ event: ImportEvent) {
    switch event {
    case .previewed(let number, let result):
      let state = self
      changeOverlay(as: ImportForm.self) { $0.apply(result, of: number, in: state) }
    case .progressed(let progress, let faults, let count):
      importing.run?.progress = progress
      importing.run?.faults += faults
      importing.run?.faultCount = count
    case .ended(let outcome): apply(outcome)
    case .tableMade(let source): reopen(for: .newTable(source))
    case .typesRefuted: reopen(for: .otherTypes)
    }
  }

  private mutating func reopen(for reason: ReopeningReason) {
    importing.awaitsReopening = reason
    finish()
  }

  private mutating func apply(_ outcome: ImportOutcome) {
    importing.run?.outcome = outcome
    if case .completed = outcome { editing.isCopyIncomplete = false }
    guard let run = importing.run else { return }
    var (text, severity) = run.summary(Marks(.unicode))
    if let file = editing.copiedFile, case .completed(let report) = outcome {
      text = "Read \(CountText.counted(report.rows, "row")) of \(file). "
      text += report.skippedRows > 0 ? "\(CountText.grouped(report.skippedRows)) left out. " : ""
      text +=
        editing.access.readOnlyReason != nil
        ? "Nothing is stored; --into FILE keeps it." : "Saving writes into it."
      if let sentence = report.irregular.sentence {
        text += " " + sentence + "."
        severity = .warning
      }
      // Last, since a narrow line cuts its end.
      let header = report.findings.first { $0.subject == .header }
      text +=
        header.map { $0.value == "yes" ? " It has a header row." : " It has no header row." } ?? ""
    }
    if run.faultCount > 0,
      let key = keymap.commands.named("import-progress").flatMap({
        keymap.hint(of: $0)
      })
    {
      text += " \(key) shows why."
    }
    if case .failed = outcome { severity = .error }
    tell(text, severity)
    guard importing.leavesAfterwards else { return }
    finish()
  }

  /// Asks whether to cancel the import, which continues meanwhile.
  mutating func askToCancelImport() {
    guard let run = importing.run, importing.isRunning else { return }
    ask(
      title: "Cancel the import",
      message: "Cancel the import of \(run.fileName)? Rows that have been written to "
        + "\(run.entity) stay there; they can be deleted like any others.",
      "cancel it", else: "go on"
    ) { state in
      if state.importing.isRunning { state.request(.cancelImport) }
    }
  }

  /// Asks what to do with a running import when the browser is left.
  mutating func askToLeaveImport() {
    guard let run = importing.run else { return }
    ask(
      title: "An import is running",
      message: "\(run.fileName) is still being imported. Rows that have been written to "
        + "\(run.entity) stay there.",
      answers: [
        Question.Answer("c", "cancel it and leave") { state in
          state.importing.leavesAfterwards = true
          if state.importing.isRunning {
            state.request(.cancelImport)
          } else {
            state.finish()
          }
        },
        Question.Answer("w", "leave when it is done") { state in
          state.importing.leavesAfterwards = true
          if !state.importing.isRunning { state.finish() }
        },
        Question.Answer("esc", "stay") { _ in },
      ])
  }
}
