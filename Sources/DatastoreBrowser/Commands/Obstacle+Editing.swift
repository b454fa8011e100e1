import DatastoreCore

/// What keeps changes from being made or written.
extension Obstacle {
  static let cannotSave = Obstacle { state in
    cannotStage.reason(state)
      ?? (state.editing.marks.isEmpty ? "There are no unsaved changes." : nil)
  }

  static let nothingStaged = Obstacle { state in
    busy(state) ?? (state.editing.marks.isEmpty ? "There are no unsaved changes." : nil)
  }

  static let nothingToUndo = Obstacle { state in
    busy(state) ?? (state.editing.marks.canUndo ? nil : "There is no change to undo.")
  }

  static let nothingToRedo = Obstacle { state in
    busy(state) ?? (state.editing.marks.canRedo ? nil : "Nothing was undone that could be redone.")
  }

  /// The file cannot be written, or is being written.
  static let cannotStage = Obstacle { state in
    if state.editing.isReadOnly {
      return "This file was opened read-only; open it without --read-only to change it."
    }
    return busy(state)
  }

  /// The entity of the table cannot be changed.
  static let cannotWriteEntity = Obstacle { state in
    guard let entity = state.entity else { return "There is no table here." }
    if entity.isReadOnly {
      return "\(entity.name) is a view, or its rows have no key, so it cannot be changed."
    }
    return cannotStage.reason(state)
  }

  /// There is no row, or it cannot be changed.
  static let cannotWriteRow = Obstacle { state in
    if state.currentObject == nil { return "There is no row here." }
    return cannotWriteEntity.reason(state)
  }

  /// There is no property, or it cannot be changed.
  static let cannotEdit = Obstacle { state in
    guard let target = state.editTarget else { return "There is nothing to edit here." }
    if let reason = cannotWriteRow.reason(state) { return reason }
    let entity = state.schema.entities[target.object.entity]
    let property = entity.properties[target.slot]
    let isReadOnly =
      property.attribute?.isReadOnly ?? property.relationship?.isReadOnly ?? false
    return isReadOnly
      ? "\(entity.name).\(property.name) is read-only: the file computes it." : nil
  }

  /// The line of the details can neither be followed nor edited.
  static let cannotFollowOrEdit = Obstacle { state in
    state.reasonNotToFollow == nil ? nil : cannotEdit.reason(state)
  }

  private static func busy(_ state: BrowserState) -> String? {
    state.editing.isSaving ? "The changes are being saved; wait for that." : nil
  }
}
