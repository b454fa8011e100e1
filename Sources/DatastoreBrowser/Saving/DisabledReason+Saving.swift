/// What keeps changes from being written.
extension DisabledReason {
  static let cannotSave = DisabledReason { state in
    cannotStage.reason(state)
      ?? (state.editing.marks.isEmpty && state.editing.filesBehind.isEmpty
        ? "There are no unsaved changes." : nil)
  }

  static let nothingStaged = DisabledReason { state in
    busy(state) ?? (state.editing.marks.isEmpty ? "There are no unsaved changes." : nil)
  }

  /// The file cannot be written, or is being written.
  static let cannotStage = DisabledReason { state in
    state.editing.readOnlyReason ?? reading(state) ?? busy(state)
  }

  /// Rows that come have the numbers of their records, which no other row must take.
  private static func reading(_ state: BrowserState) -> String? {
    guard let file = state.editing.copiedFile, state.importing.isRunning else { return nil }
    return "\(file) is still being read; wait until all of its rows are there."
  }

  static func busy(_ state: BrowserState) -> String? {
    state.editing.isSaving ? "The changes are being saved; wait until they are." : nil
  }
}
