import DatastoreCore
import TerminalUI

/// Editing the filter.
extension BrowserState {
  mutating func openFilter(_ face: FilterState.Face) {
    guard let table, let entity else { return }
    open(
      FilterState(
        table.query, face: face, schema: table.definitions.naming,
        history: filters.history[entity.name] ?? []))
  }

  /// Applies the edited condition to the table; a fault leaves the filter open.
  mutating func applyFilter() {
    guard var filter = overlay(as: FilterState.self) else { return }
    if filter.face == .form {
      guard filter.form.finishEditing() else { return keep(filter) }
      if let place = filter.form.form.firstIncomplete {
        filter.form.go(to: place, .value(0))
        filter.form.notice =
          "This condition has no value yet: press enter to give it one, or d to remove it."
        return keep(filter)
      }
    }
    guard filter.isReadable else {
      filter.line.showFault()
      return keep(filter)
    }
    closeOverlay()
    focus = .table
    stopFilterQueries()
    setFilter(filter.predicate, text: filter.text)
  }

  private mutating func keep(_ filter: FilterState) {
    changeOverlay(as: FilterState.self) { $0 = filter }
  }

  /// Closes the filter without changing it.
  mutating func cancelFilter() {
    closeOverlay()
    stopFilterQueries()
  }

  /// Stops counting matches and searching for values: the results are no longer needed.
  private mutating func stopFilterQueries() {
    request(.stopCounting)
    request(.stopFinding)
  }

  /// Shows the rows that meet a condition, or all rows, and adds the condition to the history.
  ///
  /// - Parameter text: the condition as the user typed it; nil to format it.
  mutating func setFilter(_ predicate: Predicate?, text: String? = nil) {
    guard let entity, predicate != table?.query.filter else { return }
    table?.query.filter = predicate
    guard let predicate else {
      table?.query.filterText = ""
      return refetch(isKeepingPlace: false)
    }
    let text = text ?? predicate.formatted(entity: entity, in: schema)
    table?.query.filterText = text
    filters.record(text, entity: entity.name)
    refetch(isKeepingPlace: false)
    report(predicate.advice, severity: .information)
    request(.keepFilterHistory(entity: entity.name, text: text))
  }

  /// Changes the open filter.
  mutating func changeFilter(_ change: (inout FilterState) -> Void) {
    changeOverlay(as: FilterState.self) { filter in
      filter.notice = nil
      change(&filter)
    }
  }

  /// Changes the open form; clears its notice unless the change sets one.
  mutating func changeForm(_ change: (inout FilterForm) -> Void) {
    changeFilter { filter in
      filter.form.notice = nil
      change(&filter.form)
    }
  }

  /// Compares with NULL in place of the typed value.
  mutating func setFilterValueToNull() {
    changeForm { form in
      form.cancelEditing()
      form.setNull()
    }
  }

  /// Edits the field under the form's cursor.
  mutating func editFormField() {
    guard overlay(as: FilterState.self)?.form.currentField != .apply else { return applyFilter() }
    var choice: FilterChoice?
    changeOverlay(as: FilterState.self) { choice = $0.form.beginEditing() }
    if let choice { open(choice) }
  }

  /// Applies the choice from a list to the form.
  mutating func applyFilterChoice(_ picked: FilterChoice.Picked) {
    closeOverlay()
    changeForm { $0.apply(picked) }
    request(.stopFinding)
  }
}

/// Saved filters.
extension BrowserState {
  /// Lists the saved filters of the entity.
  mutating func openSavedFilters() {
    guard let entity, let filter = overlay(as: FilterState.self) else { return }
    let text = filter.isReadable && filter.predicate != nil ? filter.text : ""
    open(SavedFilterList(entity: entity, text: text, memory: filters))
  }

  /// Saves the current condition under the typed name.
  mutating func saveFilter() {
    guard let list = overlay(as: SavedFilterList.self), let field = list.name else { return }
    let words = field.text.split(whereSeparator: \.isWhitespace)
    guard !words.isEmpty else {
      changeOverlay(as: SavedFilterList.self) { $0.refuse("Type a name first.") }
      return
    }
    let filter = SavedFilter(
      entity: list.entity.name, name: words.joined(separator: " "), text: list.text,
      file: list.isForThisFile ? filters.file : nil)
    filters.save(filter)
    closeOverlay()
    changeOverlay(as: FilterState.self) { $0.notice = "The filter “\(filter.name)” is saved." }
    request(.saveFilter(filter))
  }

  mutating func deleteSavedFilter() {
    var deleted: SavedFilter?
    changeOverlay(as: SavedFilterList.self) { deleted = $0.delete() }
    guard let deleted else { return }
    filters.delete(deleted)
    let memory = filters
    changeOverlay(as: SavedFilterList.self) { $0.show(memory) }
    request(.deleteFilter(deleted))
  }
}
