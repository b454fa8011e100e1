import DatastoreCore
import TerminalUI

/// The form for the meaning of a column: its type, its dates, its unit, the column that it refers to, the
/// names of the objects that it belongs to, and whether it is shown.
///
/// Each line is a text, with what holds without one as its placeholder. The choices for the line under the
/// cursor that contain the typed text are below. Accepting applies all lines, or goes to the first wrong one.
struct MeaningForm: Overlay {
  enum Line: String, CaseIterable, Sendable {
    case type, dates, unit, refers, names, shown
  }

  /// A text that a line may have, and what it means.
  struct Choice: Hashable, Sendable {
    let text: String
    let note: String
  }

  /// A line with its text.
  struct Entry: Sendable {
    let line: Line
    /// The text when the form was opened.
    let present: String
    /// What holds without a text.
    let otherwise: String
    /// All texts that the line may have; empty if they cannot be listed.
    let choices: [Choice]
    /// Why the line cannot be changed, as a sentence; nil if it can.
    let reason: String?
    var field: TextField

    init(
      _ line: Line, present: String, otherwise: String, choices: [Choice] = [], reason: String?
    ) {
      self.line = line
      self.present = present
      self.otherwise = otherwise
      self.choices = reason == nil ? choices : []
      self.reason = reason
      field = TextField(text: present, isAllSelected: true)
    }

    /// The text with single blanks.
    var text: String { field.text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    var isChanged: Bool { text != present }

    /// The choices for a typed text, the best first.
    func choices(for typed: String) -> [Choice] {
      let wanted = typed.lowercased()
      guard !wanted.isEmpty else { return choices }
      let named = choices.map { (name: $0.text.lowercased(), choice: $0) }
      let exact = named.filter { $0.name == wanted }
      let others = named.filter { $0.name != wanted && $0.name.contains(wanted) }
      return
        (exact + others.filter { $0.name.hasPrefix(wanted) }
        + others.filter { !$0.name.hasPrefix(wanted) }).map(\.choice)
    }
  }

  /// Why a line cannot be applied, as a sentence.
  struct Fault: Error, Hashable {
    let line: Line
    let sentence: String
  }

  static let scope = CommandScope(
    "meaning", title: "In the form for the meaning of a column",
    traits: .picks.union([.completes]),
    labels: ["accept": "apply", "complete": "next choice", "down": "line"])
  let entity: Entity
  /// The column of the table.
  let column: Int
  let name: String
  /// The ways to store dates, and the columns to refer to, that are choices.
  let conventions: [DateConvention]
  let references: [SchemaAnnotations.Reference]
  private(set) var entries: [Entry] = []
  private(set) var cursor = 0
  /// What was typed into the line under the cursor; nil if nothing was.
  private var typed: String?
  /// The index of the choice that the line has or would get.
  private(set) var marked: Int?
  private(set) var fault: String?

  init(_ entity: Entity, _ table: TableState, _ column: TableColumn, in state: BrowserState) {
    self.entity = entity
    self.column = table.column
    name = column.name
    let attribute = state.attributeUnderCursor
    let value = attribute.map { state.valueUnderCursor(of: $0) } ?? .null
    conventions = attribute.map { Self.conventions(for: value, $0) } ?? []
    let itself = SchemaAnnotations.Reference(table: entity.name, column: column.name)
    references = Self.references(in: state.schema).filter { $0 != itself }
    entries = Line.allCases.map { entry(of: $0, column, attribute, value, table, in: state) }
    go(to: entries.firstIndex { $0.reason == nil } ?? 0)
  }

  /// The line under the cursor.
  var current: Entry { entries[cursor] }

  /// The choices for the line under the cursor.
  var choices: [Choice] { current.choices(for: typed ?? "") }

  /// Puts the cursor on a line; typing replaces its text.
  mutating func go(to index: Int) {
    cursor = min(max(0, index), entries.count - 1)
    entries[cursor].field = TextField(text: current.field.text, isAllSelected: true)
    typed = nil
    marked = choices.firstIndex { $0.text == current.text }
  }

  /// Goes to the line of a fault, and shows it.
  mutating func fail(_ fault: Fault) {
    go(to: entries.firstIndex { $0.line == fault.line } ?? cursor)
    self.fault = fault.sentence
  }

  /// Writes the text of a line: `unit kg`. Shows a fault if there is no such line, or it cannot be changed.
  mutating func set(_ text: String) {
    let words = text.split(maxSplits: 1, whereSeparator: \.isWhitespace)
    guard let word = words.first,
      let index = entries.firstIndex(where: { $0.line.rawValue == word.lowercased() })
    else {
      let names = Line.allCases.map(\.rawValue).joined(separator: ", ")
      fault = "There is no line “\(words.first ?? "")”; there are \(names)."
      return
    }
    go(to: index)
    fault = current.reason
    if fault == nil { entries[cursor].field.setText(words.count > 1 ? String(words[1]) : "") }
  }

  private mutating func textChanged() {
    let text = current.text
    typed = text
    fault = nil
    marked = text.isEmpty || choices.isEmpty ? nil : 0
  }

  /// Writes a choice into the line.
  private mutating func take(_ index: Int) {
    guard choices.indices.contains(index) else { return }
    marked = index
    fault = nil
    entries[cursor].field.setText(choices[index].text)
  }
}

extension MeaningForm {
  mutating func press(_ key: Key, in state: inout BrowserState) {
    guard current.reason == nil else { return }
    let before = current.field.text
    if entries[cursor].field.handle(key), current.field.text != before { textChanged() }
  }

  mutating func paste(_ text: String, in state: inout BrowserState) {
    guard current.reason == nil else { return }
    entries[cursor].field.insert(text)
    textChanged()
  }

  mutating func move(_ movement: Movement, in state: inout BrowserState) {
    let rows = movement.rows(height: entries.count)
    fault = nil
    go(to: cursor + min(max(-entries.count, rows), entries.count))
  }

  mutating func click(at position: Position, clicks: Int, in state: inout BrowserState) {
    guard Self.area(in: state.size).contains(position) else { return dismiss(&state) }
    let parts = Self.parts(in: state.size)
    if parts.lines.contains(position) {
      let index = visibleLines(in: parts.lines).lowerBound + position.row - parts.lines.top
      fault = nil
      if entries.indices.contains(index) { go(to: index) }
    } else if parts.choices.contains(position) {
      take(visibleChoices(in: parts.choices).lowerBound + position.row - parts.choices.top)
    }
  }

  func accept(_ state: inout BrowserState) { state.acceptMeaning() }

  /// Writes the next choice into the line.
  func complete(_ state: inout BrowserState) {
    state.changeOverlay(as: Self.self) { form in
      let choices = form.choices
      guard let marked = form.marked, choices.indices.contains(marked) else { return form.take(0) }
      let isTaken = choices[marked].text == form.current.text
      form.take(isTaken ? (marked + 1) % choices.count : marked)
    }
  }
}

extension BrowserState {
  /// Shows the meaning of the column under the cursor, to change it.
  mutating func openMeaning() {
    guard let entity, let table, let column = table.currentColumn else { return }
    open(MeaningForm(entity, table, column, in: self))
  }

  /// Sets one line of the meaning: `unit kg`. The form stays open with a fault.
  mutating func setMeaning(_ text: String) {
    openMeaning()
    changeOverlay(as: MeaningForm.self) { $0.set(text) }
    if overlay(as: MeaningForm.self)?.fault == nil { acceptMeaning() }
  }

  /// Applies the form, or shows what is wrong in it.
  fileprivate mutating func acceptMeaning() {
    guard let form = overlay(as: MeaningForm.self) else { return }
    let said: SchemaAnnotations
    do throws(MeaningForm.Fault) {
      said = try form.annotations(changing: annotations)
    } catch {
      return changeOverlay(as: MeaningForm.self) { $0.fail(error) }
    }
    closeOverlay()
    if form.hidesColumn { setShown(false, column: form.column) }
    if !form.summary.isEmpty { tell(form.summary, .success) }
    use(said)
  }
}
