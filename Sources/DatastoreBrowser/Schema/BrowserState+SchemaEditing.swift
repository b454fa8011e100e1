import DatastoreCore
import TerminalUI

extension BrowserState {
  /// The entities after all edits.
  var editedEntities: [EntityDescription] {
    let file = schema.entities.map(\.description)
    // The staged edits have been applied successfully before.
    return (try? SchemaEdit.applied(schemaEditing.edits, to: file)) ?? file
  }

  /// Stages an edit.
  ///
  /// - Throws: `SchemaEdit.Fault` for an invalid edit.
  mutating func stageSchema(_ edit: SchemaEdit) throws(SchemaEdit.Fault) {
    _ = try SchemaEdit.applied(
      schemaEditing.edits + [edit], to: schema.entities.map(\.description))
    schemaEditing.stage(edit)
    tell("\(edit.description): staged; ctrl-s reviews and saves.", .information)
    request(.readSchema(schemaEditing.edits))
    request(.keepSchemaEdits(schemaEditing.edits))
  }

  /// Changes the staged edits, and shows the result.
  mutating func changeSchemaEditing(_ sentence: String, _ change: (inout SchemaEditing) -> Void) {
    change(&schemaEditing)
    tell(sentence, .information)
    request(.readSchema(schemaEditing.edits))
    request(.keepSchemaEdits(schemaEditing.edits))
  }

  /// Removes the property under the cursor, or the entity if the cursor is on its title.
  mutating func removeFromSchema() {
    guard let place = overlay(as: SchemaScreen.self)?.place else { return }
    do {
      try stageSchema(
        place.property.map { .removeProperty(entity: place.entity, $0) }
          ?? .removeEntity(place.entity))
    } catch {
      tell(error.description, .warning)
    }
  }

  /// Asks before the staged schema edits are discarded.
  ///
  /// - Parameter leave: called after the edits are discarded.
  mutating func askToLeaveSchema(
    _ leave: @escaping @Sendable (inout BrowserState) -> Void
  ) {
    ask(
      title: "Unsaved schema",
      message:
        "\(schemaEditing.title) \(schemaEditing.edits.count == 1 ? "is" : "are") staged, and not saved.",
      answers: [
        Question.Answer("g", "go to the schema") { $0.openSchema() },
        Question.Answer("d", "discard and leave") { state in
          state.schemaEditing.saved()
          state.request(.keepSchemaEdits([]))
          leave(&state)
        },
        Question.Answer("esc", "stay") { _ in },
      ], role: .warning)
  }

  /// Drops the staged edits if they no longer fit the tables, which another process has changed.
  mutating func keepFittingSchemaEdits() {
    let file = schema.entities.map(\.description)
    guard !schemaEditing.edits.isEmpty,
      (try? SchemaEdit.applied(schemaEditing.edits, to: file)) == nil
    else { return }
    tell(
      "\(schemaEditing.title) did not fit the changed tables, and \(schemaEditing.edits.count == 1 ? "was" : "were") dropped.",
      .warning)
    schemaEditing.saved()
  }
}

/// The commands for staged schema edits.
extension SchemaScreen: StagingOverlay {
  func perform(_ action: StagingAction, _ state: inout BrowserState) {
    switch action {
    case .save, .review:
      state.open(SchemaReview())
      state.request(.reviewSchema(state.schemaEditing.edits))
    case .revert:
      state.changeSchemaEditing("All changes of the schema were undone.") { $0.revert() }
    case .undo: state.changeSchemaEditing("Undone; U brings it back.") { $0.undo() }
    case .redo: state.changeSchemaEditing("Staged again.") { $0.redo() }
    }
  }

  func reasonNot(to action: StagingAction, in state: BrowserState) -> String? {
    (action == .redo ? DisabledReason.noUndoneSchemaEdits : .noSchemaEdits).reason(state)
  }
}

extension DisabledReason {
  static let cannotEditSchema = DisabledReason { state in
    if let reason = state.editing.readOnlyReason { return reason }
    if let file = state.editing.copiedFile {
      return "This is a copy of \(file), whose columns are those of that file."
    }
    if !state.editing.marks.isEmpty {
      return
        "There are unsaved changes of rows: \(state.editing.marks.description). Save or revert them first."
    }
    if state.importing.isRunning { return "Rows are being imported; wait until they are." }
    if state.following != .none {
      return "Another process has changed the tables. Close the schema, so that it is read again."
    }
    return busy(state)
      ?? (state.schemaEditing.isSaving ? "The schema is being saved; wait until it is." : nil)
  }

  static let noSchemaEdits = DisabledReason { state in
    cannotEditSchema.reason(state)
      ?? (state.schemaEditing.edits.isEmpty ? "No change of the schema is staged." : nil)
  }

  static let noUndoneSchemaEdits = DisabledReason { state in
    cannotEditSchema.reason(state)
      ?? (state.schemaEditing.undone.isEmpty ? "No change of the schema was undone." : nil)
  }

  /// There is no entity or property under the cursor.
  static let noSchemaPlace = DisabledReason { state in
    cannotEditSchema.reason(state)
      ?? (state.overlay(as: SchemaScreen.self)?.place == nil
        ? "Go to the name of an entity or a property first; in the graph press Tab." : nil)
  }
}
