import DatastoreCore
import TerminalUI

/// The saved filters of an entity: to load one, to save the current one, or to delete one.
struct SavedFilterList: PickListOverlay {
  /// The content of a line.
  enum Line: Hashable, Sendable {
    /// Saves the current condition.
    case new
    case filter(SavedFilter)
  }

  let entity: Entity
  /// The text of the current condition; empty for none.
  let text: String
  var list: PickList<Line>
  /// The field for the name of the current condition.
  private(set) var name: TextField?
  /// Whether the saved filter will be for this file only.
  private(set) var isForThisFile = false
  /// The filter that is deleted if its key is pressed again.
  private var isToBeDeleted: SavedFilter?
  private(set) var notice: String?

  static var scope: CommandScope { .savedFilters }
  var scope: CommandScope { name == nil ? Self.scope : .filterName }

  init(entity: Entity, text: String, memory: FilterMemory) {
    self.entity = entity
    self.text = text
    list = PickList()
    show(memory)
  }

  /// Shows the current filters.
  mutating func show(_ memory: FilterMemory) {
    var lines = memory.filters(entity: entity.name).map { filter in
      PickList<Line>.Item(
        .filter(filter), text: filter.name,
        note: filter.text + (filter.file == nil ? "" : " (this file)"))
    }
    if !text.isEmpty { lines.append(.init(.new, text: "Save the current filter…", role: .key)) }
    list.setItems(lines)
    list.notice =
      text.isEmpty
      ? "\(entity.name) has no saved filters. Type a condition first, then save it here."
      : "Nothing matches."
  }

  /// The filter under the cursor.
  var current: SavedFilter? {
    if case .filter(let filter)? = list.current?.id { return filter }
    return nil
  }

  mutating func beginNaming() { name = TextField() }

  mutating func endNaming() {
    name = nil
    notice = nil
  }

  mutating func toggleFile() { isForThisFile.toggle() }

  mutating func refuse(_ sentence: String) { notice = sentence }

  /// Returns the filter to delete, on the second request.
  mutating func delete() -> SavedFilter? {
    guard let current else {
      notice = "Go to a saved filter to delete it."
      return nil
    }
    guard isToBeDeleted == current else {
      isToBeDeleted = current
      notice = "Press the key again to delete “\(current.name)” for good."
      return nil
    }
    (isToBeDeleted, notice) = (nil, nil)
    return current
  }

  mutating func cursorMoved() { (isToBeDeleted, notice) = (nil, nil) }

  mutating func press(_ key: Key, in state: inout BrowserState) {
    cursorMoved()
    if name != nil { _ = name?.handle(key) } else { _ = list.handle(key) }
  }

  mutating func paste(_ text: String, in state: inout BrowserState) {
    if name != nil { name?.insert(text) } else { list.insert(text) }
  }

  func deleteSaved(_ state: inout BrowserState) { state.deleteSavedFilter() }

  func accept(_ state: inout BrowserState) {
    if name != nil { return state.saveFilter() }
    state.change(Self.self) { $0.pick(in: &$1) }
  }

  func dismiss(_ state: inout BrowserState) {
    guard name != nil else { return state.closeOverlay() }
    state.changeOverlay(as: Self.self) { $0.endNaming() }
  }

  /// Loads the filter under the cursor into the edited filter, or asks for the name of the current one.
  mutating func pick(in state: inout BrowserState) {
    guard name == nil, let line = list.current?.id else { return }
    guard case .filter(let saved) = line else {
      beginNaming()
      return
    }
    do {
      let predicate = try Predicate.parse(
        saved.text, entity: entity, in: state.table?.definitions.naming ?? state.schema)
      state.closeOverlay()
      state.changeOverlay(as: FilterState.self) { $0.show(predicate, text: saved.text) }
    } catch {
      refuse("“\(saved.name)” does not fit this file: \(error.message)")
    }
  }

  func area(in size: Size) -> Rectangle {
    size.box(columns: min(90, max(20, size.columns - 6)), rows: 18)
  }

  /// The area of the list, above the two lines of messages.
  func body(in size: Size) -> Rectangle {
    area(in: size).inset(horizontal: 2, vertical: 1).split(bottom: 2).rest
  }

  var title: String { "Filters of \(entity.name)" }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let inside = Box(title: title).cover(&buffer, in: area(in: state.size)).inset(horizontal: 1)
    let (body, below) = inside.split(bottom: 2)
    let cursor = list.draw(into: &buffer, in: body)
    let role: StyleRole = notice == nil ? .dim : .warning
    if var name {
      let prompt = isForThisFile ? "Name, for this file only: " : "Name, for every file: "
      let used = buffer.draw(prompt, at: below.origin, role: .key)
      let place = name.draw(
        into: &buffer, at: Position(column: below.left + used, row: below.top),
        width: max(1, below.columns - used), placeholder: "the name of the filter")
      buffer.draw(wrapped: notice ?? text, in: below.split(top: 1).rest, role: role)
      return place
    }
    buffer.draw(wrapped: notice ?? current?.text ?? "", in: below, role: role)
    return cursor
  }
}
