/// Why changes cannot be written.
extension DisabledReason {
  static let cannotSave = DisabledReason { state in
    cannotStage.reason(state)
      ?? (state.editing.marks.isEmpty && state.sourceFiles.behind.isEmpty
        ? "There are no unsaved changes." : nil)
  }

  static let nothingStaged = DisabledReason { state in
    busy(state) ?? (state.editing.marks.isEmpty ? "There are no unsaved changes." : nil)
  }

  /// The file is read-only, or is being written.
  static let cannotStage = DisabledReason { state in
    state.editing.readOnlyReason ?? busy(state)
  }

  static func busy(_ state: BrowserState) -> String? {
    state.editing.isSaving ? "The changes are being saved; wait until they are." : nil
  }
}
