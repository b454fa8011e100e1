import Basics
import DatastoreCore

/// Why changes cannot be made or written.
extension DisabledReason {
  static let noOccurringValues = DisabledReason { state in
    guard let editor = state.overlay(as: CellEditor.self) else { return "Nothing is being edited." }
    guard editor.subject.mayRepeat else {
      return "Values of this kind are not listed; type the value."
    }
    guard let occurring = editor.occurring else {
      return "The values are still being looked up."
    }
    return occurring.isEmpty ? "There are too many different values to list, or none." : nil
  }

  static let nothingToUndo = DisabledReason { state in
    busy(state) ?? (state.editing.marks.canUndo ? nil : "There is nothing to undo.")
  }

  static let nothingToRedo = DisabledReason { state in
    busy(state) ?? (state.editing.marks.canRedo ? nil : "There is nothing to redo.")
  }

  /// The entity of the table is read-only.
  static let cannotWriteEntity = DisabledReason { state in
    guard let entity = state.entity else { return "There is no table here." }
    if entity.isReadOnly, state.editing.isInServer {
      return "\(entity.name) cannot be changed here: it is a view, its rows have no key, it "
        + "belongs to a store of SwiftDatastore, or you have no right to."
    }
    if entity.isReadOnly {
      return "\(entity.name) is a view, or its rows have no key, so it cannot be changed."
    }
    return cannotStage.reason(state)
  }

  /// The table cannot have new objects.
  static let cannotCreate = DisabledReason { state in
    if let entity = state.entity, entity.isAbstract {
      return "\(entity.name) is abstract; create the object in the table of one of its children."
    }
    return cannotWriteEntity.reason(state)
      ?? refused(state, \.inserting) { "No \($0) can be created" }
  }

  /// There is no row, or it cannot be duplicated.
  static let cannotDuplicate = DisabledReason { state in
    cannotWriteRow.reason(state) ?? cannotCreate.reason(state)
  }

  /// There is no row, or it cannot be deleted.
  static let cannotDelete = DisabledReason { state in
    state.derivedTable?.removal != nil
      ? noRow.reason(state) : cannotWriteRow.reason(state) ?? cannotDeleteAny(state)
  }

  private static func cannotDeleteAny(_ state: BrowserState) -> String? {
    refused(state, \.deleting) { "No \($0) can be deleted" }
  }

  /// The reason that the store reported for the entity when it was opened.
  private static func refused(
    _ state: BrowserState, _ reason: KeyPath<RefusedWrites, String?>,
    _ beginning: (String) -> String
  ) -> String? {
    guard let entity = state.entity,
      let reason = state.editing.refusedWrites(of: entity)[keyPath: reason]
    else { return nil }
    return "\(beginning(entity.name)): \(reason)."
  }

  /// There is no row, or it cannot be changed.
  static let cannotWriteRow = DisabledReason { state in
    if state.currentObject == nil { return onHeader(state) ?? "There is no row here." }
    return cannotWriteEntity.reason(state)
  }

  /// There is no property under the cursor, or it cannot be changed.
  static let cannotEdit = DisabledReason { state in
    guard let target = state.editTarget else {
      if state.focus == .table, let column = state.table?.currentColumn, column.slot == nil {
        return "\(column.name) is computed; edit its operands."
      }
      return onHeader(state) ?? "There is nothing to edit here."
    }
    if let reason = cannotWriteRow.reason(state) { return reason }
    let entity = state.schema.entities[target.object.entity]
    let property = entity.properties[target.slot]
    let isReadOnly =
      property.attribute?.isReadOnly ?? property.relationship?.isReadOnly ?? false
    if isReadOnly { return "\(entity.name).\(property.name) is read-only: the file computes it." }
    // The values of an unsaved object are written with it.
    if state.editing.marks[target.object]?.kind == .inserted { return nil }
    return state.editing.refusedWrites(of: entity).updating[property.name].map {
      "\(entity.name).\(property.name) cannot be changed: \($0)."
    }
  }

  /// The line of the details can neither be followed nor edited.
  static let cannotFollowOrEdit = DisabledReason { state in
    state.reasonNotToFollow == nil ? nil : cannotEdit.reason(state)
  }

  static let noBytes = DisabledReason { state in
    let value = state.overlay(as: BlobEditor.self)?.subject.value
    return value?.isNull == false ? nil : "There are no bytes here."
  }

  /// The value in the editor is not text, so no text editor can show it.
  static let noText = DisabledReason { state in
    guard let editor = state.overlay(as: BlobEditor.self), !editor.subject.value.isNull,
      editor.text == nil
    else { return nil }
    return "These bytes are not text, or too many to edit; save them to a file instead."
  }

  /// The line of the details is not an editable to-many relationship.
  static let noMembersHere = DisabledReason { state in
    guard let target = state.editTarget, let field = state.detail.currentField,
      field.destination != nil, field.content == nil
    else { return "Only to-many relationships have members to add." }
    return state.schema.entities[target.object.entity].links[target.slot] == nil
      ? "Only to-many relationships have members to add." : cannotEdit.reason(state)
  }

  /// The line of the details is not a member of a relationship.
  static let noMemberHere = DisabledReason { state in
    guard case .member = state.detail.currentItem else {
      return "Go to a member of a to-many relationship to remove it; D in the table deletes."
    }
    return cannotEdit.reason(state)
  }

  static let cannotBulkEdit = DisabledReason { state in
    cannotEdit.reason(state) ?? noBulkTarget(state)
  }

  static let cannotBulkDelete = DisabledReason { state in
    cannotWriteEntity.reason(state) ?? cannotDeleteAny(state) ?? noBulkTarget(state)
  }

  private static func noBulkTarget(_ state: BrowserState) -> String? {
    if state.table?.list.keys.isEmpty ?? true { return "There are no rows here." }
    if state.bulkTarget != nil { return nil }
    return state.editing.selection.seen.isEmpty
      ? "The table is still being read; wait until it is."
      : "So many rows of a table without a key cannot be identified; select at most "
        + "\(CountText.grouped(BulkTarget.mostStaged))."
  }

  private static func onHeader(_ state: BrowserState) -> String? {
    guard state.focus == .table, case .header? = state.table?.currentLine else { return nil }
    return "This is the header of a section; go to one of its rows."
  }
}
