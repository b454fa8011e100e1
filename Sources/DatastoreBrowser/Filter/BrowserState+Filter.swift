import DatastoreCore
import TerminalUI

/// Editing the filter.
extension BrowserState {
  /// Opens the filter of the table.
  mutating func openFilter(_ face: FilterState.Face) {
    guard let table, let entity else { return }
    open(
      FilterState(
        table.query, face: face, schema: table.definitions.naming,
        history: filters.history[entity.name] ?? []))
  }

  /// Shows the rows that meet what the filter says; a fault leaves it open.
  mutating func applyFilter() -> [Effect] {
    guard var filter = overlay(as: FilterState.self) else { return [] }
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
    return stopFilterQueries + setFilter(filter.predicate, text: filter.text)
  }

  private mutating func keep(_ filter: FilterState) -> [Effect] {
    changeOverlay(as: FilterState.self) { $0 = filter }
    return []
  }

  /// Leaves the filter as it was.
  mutating func cancelFilter() -> [Effect] {
    closeOverlay()
    return stopFilterQueries
  }

  /// Nobody waits for what they would find.
  private var stopFilterQueries: [Effect] { [.stopCounting, .stopFinding] }

  /// Shows the rows that meet a condition, or all, and remembers it.
  ///
  /// - Parameter text: the condition as it was typed; without it, it is written again.
  mutating func setFilter(_ predicate: Predicate?, text: String? = nil) -> [Effect] {
    guard let entity, predicate != table?.query.filter else { return [] }
    table?.query.filter = predicate
    guard let predicate else {
      table?.query.filterText = ""
      return refetch(isKeepingPlace: false)
    }
    let text = text ?? predicate.formatted(entity: entity, in: schema)
    table?.query.filterText = text
    filters.note(text, entity: entity.name)
    let effects = refetch(isKeepingPlace: false)
    note(predicate.advice, severity: .information)
    return effects + [.keepFilterHistory(entity: entity.name, text: text)]
  }

  /// Changes the filter that is open.
  mutating func changeFilter(_ change: (inout FilterState) -> Void) -> [Effect] {
    changeOverlay(as: FilterState.self) { filter in
      filter.notice = nil
      change(&filter)
    }
    return []
  }

  /// Changes the form that is open; a notice is forgotten unless the change makes one.
  mutating func changeForm(_ change: (inout FilterForm) -> Void) -> [Effect] {
    changeFilter { filter in
      filter.form.notice = nil
      change(&filter.form)
    }
  }

  /// Edits the field under the form's cursor.
  mutating func editFormField() -> [Effect] {
    guard overlay(as: FilterState.self)?.form.currentField != .apply else { return applyFilter() }
    var choice: FilterChoice?
    changeOverlay(as: FilterState.self) { choice = $0.form.beginEditing() }
    if let choice { open(choice) }
    return []
  }

  /// Gives the form what was picked from a list.
  mutating func applyFilterChoice(_ picked: FilterChoice.Picked) -> [Effect] {
    closeOverlay()
    return changeForm { $0.apply(picked) } + [.stopFinding]
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

  /// Saves the present filter under the name that was typed.
  mutating func saveFilter() -> [Effect] {
    guard let list = overlay(as: SavedFilterList.self), let field = list.name else { return [] }
    let words = field.text.split(whereSeparator: \.isWhitespace)
    guard !words.isEmpty else {
      changeOverlay(as: SavedFilterList.self) { $0.refuse("Type a name first.") }
      return []
    }
    let filter = SavedFilter(
      entity: list.entity.name, name: words.joined(separator: " "), text: list.text,
      file: list.isForThisFile ? filters.file : nil)
    filters.save(filter)
    closeOverlay()
    changeOverlay(as: FilterState.self) { $0.notice = "The filter “\(filter.name)” is saved." }
    return [.saveFilter(filter)]
  }

  mutating func deleteSavedFilter() -> [Effect] {
    var deleted: SavedFilter?
    changeOverlay(as: SavedFilterList.self) { deleted = $0.delete() }
    guard let deleted else { return [] }
    filters.delete(deleted)
    let memory = filters
    changeOverlay(as: SavedFilterList.self) { $0.show(memory) }
    return [.deleteFilter(deleted)]
  }
}
