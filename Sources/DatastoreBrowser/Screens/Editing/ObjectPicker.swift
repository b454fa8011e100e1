import DatastoreCore
import TerminalUI

/// A list of objects with incremental search over their names, for relationships.
struct ObjectPicker: Overlay {
  /// What becomes of the chosen object.
  enum Purpose: Hashable, Sendable {
    /// It becomes the destination of a to-one relationship.
    case destination
    /// It becomes a member of a to-many relationship.
    case member
  }

  var scope: CommandScope { .objectPicker }
  let subject: EditSubject
  let purpose: Purpose
  private(set) var list = PickList<Int64?>(isSearchedByOwner: true)
  /// The number of the search that was asked for last.
  private(set) var lastSearch = 0
  private var isSearchWanted = true
  private var isReading = false

  init(_ subject: EditSubject, _ purpose: Purpose) {
    self.subject = subject
    self.purpose = purpose
    list.notice = "reading…"
  }

  /// The name that objects are searched by stands for the present destination's, at first.
  mutating func press(_ key: Key, in state: inout BrowserState) -> [Effect] {
    if list.handle(key) { isSearchWanted = true }
    return []
  }

  mutating func paste(_ text: String, in state: inout BrowserState) -> [Effect] {
    list.insert(text)
    isSearchWanted = true
    return []
  }

  mutating func move(_ movement: Movement, in state: inout BrowserState) -> [Effect] {
    let height = PickList<Int64?>.height(in: inside(state))
    list.move(by: movement.rows(height: height), height: height)
    return []
  }

  mutating func wheel(
    _ lines: Int, at position: Position, in state: inout BrowserState
  ) -> [Effect] {
    list.move(by: lines, height: PickList<Int64?>.height(in: inside(state)))
    return []
  }

  mutating func click(
    at position: Position, clicks: Int, in state: inout BrowserState
  ) -> [Effect] {
    let inside = inside(state)
    guard inside.contains(position) else {
      if !area(state).contains(position) { state.closeOverlay() }
      return []
    }
    let isItem = list.click(
      row: position.row - inside.top - 1, height: PickList<Int64?>.height(in: inside))
    return isItem && clicks == 2 ? pick(in: &state) : []
  }

  mutating func demands(in state: BrowserState) -> [Effect] {
    guard isSearchWanted, let destination = subject.destination else { return [] }
    isSearchWanted = false
    isReading = true
    lastSearch += 1
    return [.searchObjects(lastSearch, entity: destination, list.search.text)]
  }

  /// Takes what a search has found.
  mutating func take(_ found: [ObjectName], search: Int) {
    guard search == lastSearch else { return }
    isReading = false
    list.notice = "No object of that name."
    var items = found.map { object in
      PickList<Int64?>.Item(
        object.key, text: object.name,
        note: .integer(object.key) == subject.value
          ? "now" : DisplayName.placeholder(key: object.key))
    }
    if purpose == .destination, list.search.text.isEmpty {
      items.insert(
        PickList<Int64?>.Item(
          nil, text: "None", note: subject.value.isNull ? "now" : "", role: .null),
        at: 0)
    }
    list.setItems(items)
  }

  /// Takes why a search has found nothing.
  mutating func fail(_ reason: String, search: Int) {
    guard search == lastSearch else { return }
    isReading = false
    list.notice = reason
    list.setItems([])
  }

  /// Takes the object under the cursor and closes the list.
  func pick(in state: inout BrowserState) -> [Effect] {
    guard let item = list.current else { return [] }
    state.closeOverlay()
    switch purpose {
    case .destination:
      return state.accept(item.id.map { .integer($0) } ?? .null, for: subject)
    case .member:
      guard let member = item.id else { return [] }
      let target = subject.target
      return [
        .stage(.setMember(target.object, slot: target.slot, member: member, isMember: true))
      ]
    }
  }

  private func area(_ state: BrowserState) -> Rectangle {
    Rectangle(state.size).centred(
      Size(columns: min(60, state.size.columns - 4), rows: min(18, state.size.rows - 4)))
  }

  private func inside(_ state: BrowserState) -> Rectangle {
    area(state).inset(horizontal: 2, vertical: 1)
  }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let area = area(state)
    buffer.fill(area)
    let title = purpose == .member ? "Add to \(subject.name)" : subject.name
    Box(title: title, note: isReading ? "searching…" : "", isFocused: true)
      .draw(into: &buffer, in: area)
    return list.draw(into: &buffer, in: inside(state))
  }
}

/// An object with the name that a person knows it by.
struct ObjectName: Hashable, Sendable {
  let key: Int64
  let name: String
}
