import Basics
import DatastoreCore
import TerminalUI

/// Presents the browser's state as plain lines about what has changed since the last time, for people who
/// hear the screen.
///
/// Each thing is said once: the panel with the focus, the row and the value under the cursor, the overlays,
/// messages, and the number of unsaved changes. Unchanged things are not repeated.
struct LinearPresenter {
  /// The last key: a character typed into a line is only echoed.
  var key: Key?
  private var focus: CommandScope?
  private var place = ""
  private var entityLine: String?
  private var row: RowAnnouncement?
  /// Whether an overlay was closed since the row was last said.
  private var isBack = false
  private var detailLine: String?
  private var message: BrowserState.Message?
  private var staged = ""
  /// The unsaved changes of a store that is shown above another one.
  private var stagedAbove = ""
  private var selected = 0
  private var overlays: [String] = []
  private var overlayLines: [String] = []
  private var overlayCursor: Int?

  /// Returns the texts to say now.
  mutating func announce(_ state: BrowserState) -> [SpokenText] {
    var lines: [String] = []
    let typed = key
    key = nil
    if let echo = announceOverlay(state, typed: typed, &lines) { return [.character(echo)] }
    if state.overlays.isEmpty { announcePanels(state, &lines) }
    announceNews(state, afterKey: typed != nil, &lines)
    return lines.map { .line(Self.plain($0)) }
  }

  /// The text without characters that a terminal obeys, and without marks that are only for the eye.
  static func plain(_ text: String) -> String {
    Glyphs(text).reduce(into: "") { $0 += $1.text }
  }

  // MARK: Panels

  private mutating func announcePanels(_ state: BrowserState, _ lines: inout [String]) {
    let isNewFocus = focus != state.scope
    focus = state.scope
    if let line = Self.place(state), line != place {
      place = line
      lines.append(line)
      row = nil
    }
    switch state.focus {
    case .entities:
      if isNewFocus { lines.append("List of entities.") }
      let names = state.entities.names
      guard let cursor = state.entities.cursor else { return }
      let line =
        "\(names[cursor]), \(state.entities.scroll.cursor + 1) of \(state.entities.shown.count)."
      if isNewFocus || line != entityLine { lines.append(line) }
      entityLine = line
    case .table:
      if isNewFocus, !place.isEmpty, !lines.contains(place) { lines.append("Table. \(place)") }
      announceRow(state, isNew: isNewFocus, &lines)
    case .detail:
      if isNewFocus { lines.append("Details of \(Self.subject(state)).") }
      guard let line = Self.detail(state) else { return }
      if isNewFocus || line != detailLine { lines.append(line) }
      detailLine = line
    }
  }

  /// The content of the table, once it is read.
  private static func place(_ state: BrowserState) -> String? {
    guard let table = state.table else { return "This file has no tables." }
    guard table.phase != .reading else { return nil }
    if case .failed(let reason) = table.phase { return reason }
    return state.statusText(Marks(.ascii)).parts(at: " | ")
      .filter { !$0.isEmpty && !$0.hasSuffix(" selected") }.joined(separator: ", ") + "."
  }

  private static func subject(_ state: BrowserState) -> String {
    state.detail.object.map { state.currentName(of: $0) } ?? "nothing"
  }

  private mutating func announceRow(_ state: BrowserState, isNew: Bool, _ lines: inout [String]) {
    guard let now = RowAnnouncement(state) else {
      if state.table?.phase != .reading { row = nil }
      return
    }
    lines += isBack ? now.brief(after: row) : now.lines(after: isNew ? nil : row)
    isBack = false
    row = now
  }

  /// The line of the details under the cursor.
  private static func detail(_ state: BrowserState) -> String? {
    let detail = state.detail
    if let notice = detail.notice { return notice }
    guard let item = detail.currentItem, let field = detail.currentField else { return nil }
    if case .member(_, let member) = item { return "\(field.name), member: \(member.name)" }
    guard let content = field.content else {
      guard let members = detail.members[field.slot]?.members else {
        return "\(field.name), \(field.type)"
      }
      return "\(field.name): \(CountText.counted(members.count, "member")), \(field.type)"
    }
    let text = RowAnnouncement.text(
      content, destination: field.destination, in: state)
    return "\(field.name): \(text), \(field.type)" + (field.isMissing ? ", needs a value" : "")
  }

  // MARK: Overlays

  /// Adds what is new in the topmost overlay; returns a character that is only to be echoed.
  private mutating func announceOverlay(
    _ state: BrowserState, typed: Key?, _ lines: inout [String]
  ) -> Character? {
    let names = state.overlays.map { String(describing: type(of: $0)) }
    defer { overlays = names }
    guard let overlay = state.overlays.last else {
      if !overlays.isEmpty {
        // Back in the panels, the place of the cursor is repeated.
        focus = nil
        isBack = true
      }
      (overlayLines, overlayCursor) = ([], nil)
      return nil
    }
    let picture = OverlayPicture(overlay, in: state)
    let isNew = names != overlays
    let former = isNew ? [] : overlayLines
    let formerCursor = overlayCursor
    (overlayLines, overlayCursor) = (picture.lines, picture.cursorLine)
    if isNew {
      lines += picture.lines
      return nil
    }
    let known = Set(former)
    var fresh = picture.lines.filter { !known.contains($0) }
    // A typed character is echoed, and the screen reader speaks it.
    if let character = typed?.typed, let line = picture.cursorLine.map({ picture.lines[$0] }),
      fresh == [line], formerCursor == picture.cursorLine
    {
      return character
    }
    if let selected = picture.selected, !fresh.contains(selected), selected != formerSelection {
      fresh.append(selected)
    }
    formerSelection = picture.selected
    lines += fresh
    return nil
  }

  private var formerSelection: String?

  // MARK: News

  private mutating func announceNews(
    _ state: BrowserState, afterKey: Bool, _ lines: inout [String]
  ) {
    // A key clears the message before it, so a message after a key is new, even if it is the same.
    if afterKey || state.message != message, let new = state.message { lines.append(new.text) }
    message = state.message
    let marks = state.editing.marks.isEmpty ? "" : state.editing.marks.description
    // The changes of the store below remain while another one is shown above it.
    let known = state.isAboveAnother ? stagedAbove : staged
    if marks != known {
      lines.append(marks.isEmpty ? "No unsaved changes." : "Unsaved: \(marks).")
    }
    (staged, stagedAbove) = state.isAboveAnother ? (staged, marks) : (marks, "")
    guard let table = state.table else { return }
    let count = state.editing.selection.count(
      in: table.query, rows: table.list.keys.count)
    if count != selected { lines.append("\(CountText.counted(count, "row")) selected.") }
    selected = count
  }
}
