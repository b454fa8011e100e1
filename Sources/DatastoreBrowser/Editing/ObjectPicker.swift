import DatastoreCore
import TerminalUI

/// A list of objects with incremental search over their names, for relationships.
struct ObjectPicker: PickListOverlay {
  /// The use of the chosen object.
  enum Purpose: Hashable, Sendable {
    /// It becomes the destination of a to-one relationship.
    case destination
    /// It becomes a member of a to-many relationship.
    case member
  }

  static let scope = CommandScope(
    "object-picker", title: "In a list of objects", traits: .picks)
  let subject: EditSubject
  let purpose: Purpose
  var list = PickList<RowKey?>(isSearchedByOwner: true)
  /// The number of the last search.
  private(set) var lastSearch = 0
  private var isSearchWanted = true
  private var isReading = false
  /// Whether the user has picked while objects were still being searched for.
  private(set) var isPickAwaited = false

  init(_ subject: EditSubject, _ purpose: Purpose) {
    self.subject = subject
    self.purpose = purpose
    list.notice = "reading…"
  }

  mutating func searchChanged(in state: BrowserState) {
    isSearchWanted = true
    isPickAwaited = false
  }

  mutating func requestMissing(in state: inout BrowserState) {
    guard isSearchWanted, let destination = subject.destination else { return }
    isSearchWanted = false
    isReading = true
    lastSearch += 1
    state.request(
      .searchObjects(
        lastSearch, entity: destination, for: subject.target, list.search.text,
        present: presentKey))
  }

  /// The key of the current destination, while the list is unfiltered: the cursor begins on it, so that
  /// picking without a move changes nothing.
  private var presentKey: RowKey? {
    guard purpose == .destination, list.search.text.isEmpty, let key = subject.value.key
    else { return nil }
    return key
  }

  /// Applies the result of a search.
  mutating func apply(_ found: [ObjectName], search: Int) {
    guard search == lastSearch else { return }
    isReading = false
    list.notice = "No object has that name."
    var items = found.map { object in
      PickList<RowKey?>.Item(
        object.key, text: object.name,
        note: .key(object.key) == subject.value
          ? "now" : DisplayName.placeholder(key: object.key))
    }
    if let presentKey, !found.contains(where: { $0.key == presentKey }) {
      items.insert(
        PickList<RowKey?>.Item(
          presentKey, text: "\(DisplayName.placeholder(key: presentKey)) is missing", note: "now",
          role: .warning), at: 0)
    }
    if purpose == .destination, list.search.text.isEmpty {
      items.insert(
        PickList<RowKey?>.Item(
          nil, text: "None", note: subject.value.isNull ? "now" : "", role: .null),
        at: 0)
    }
    list.setFound(items)
    if let presentKey { list.select(presentKey) }
  }

  /// Shows why a search has failed.
  mutating func fail(_ reason: String, search: Int) {
    guard search == lastSearch else { return }
    isReading = false
    list.notice = reason
    list.setItems([])
  }

  /// Picks the object under the cursor and closes the list.
  ///
  /// While a search for the typed text runs, the pick waits: the listed objects are from the search before.
  mutating func pick(in state: inout BrowserState) {
    isPickAwaited = isReading || isSearchWanted
    guard !isPickAwaited, let item = list.current else { return }
    state.closeOverlay()
    switch purpose {
    case .destination:
      state.accept(item.id.map { .key($0) } ?? .null, for: subject)
    case .member:
      guard let member = item.id else { return }
      let target = subject.target
      state.stage(.setMember(target.object, slot: target.slot, member: member, isMember: true))
    }
  }

  func area(in size: Size) -> Rectangle {
    size.box(columns: 60, rows: 18)
  }

  var title: String { purpose == .member ? "Add to \(subject.name)" : subject.name }
  var note: String { isReading ? "searching…" : "" }
}

/// An object with its name for people.
struct ObjectName: Hashable, Sendable {
  let key: RowKey
  let name: String
}
