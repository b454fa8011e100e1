/// What keeps changes from being written.
extension Obstacle {
  static let cannotSave = Obstacle { state in
    cannotStage.reason(state)
      ?? (state.editing.marks.isEmpty ? "There are no unsaved changes." : nil)
  }

  static let nothingStaged = Obstacle { state in
    busy(state) ?? (state.editing.marks.isEmpty ? "There are no unsaved changes." : nil)
  }

  /// The file cannot be written, or is being written.
  static let cannotStage = Obstacle { state in
    state.editing.readOnlyReason ?? busy(state)
  }

  static func busy(_ state: BrowserState) -> String? {
    state.editing.isSaving ? "The changes are being saved; wait for that." : nil
  }
}
