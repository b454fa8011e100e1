import DatastoreCore
import TerminalUI

/// Relationships that no foreign key of the file declares, but names and values suggest: each can be accepted,
/// and is a relationship like any other then, or refused, and is not offered again.
struct SuggestionsScreen: LineListOverlay {
  var scope: CommandScope { .suggestions }
  var scroll = ScrollState()
  /// Nil while values are being looked at.
  private(set) var suggestions: Result<[RelationshipSuggestion], EffectFailure>?
  /// What is decided of each.
  private(set) var decisions: [SchemaAnnotations.Decision?] = []

  private var found: [RelationshipSuggestion] { (try? suggestions?.get()) ?? [] }

  mutating func apply(_ answer: Result<[RelationshipSuggestion], EffectFailure>) {
    suggestions = answer
    decisions = found.map(\.decision)
  }

  /// Decides about the line under the cursor; the same again takes that back.
  mutating func decide(_ decision: SchemaAnnotations.Decision) {
    guard decisions.indices.contains(scroll.cursor) else { return }
    decisions[scroll.cursor] = decisions[scroll.cursor] == decision ? nil : decision
  }

  /// What is said of the file with the decisions; nil when they are those of before.
  func annotations(changing present: SchemaAnnotations?) -> SchemaAnnotations? {
    var annotations = present ?? SchemaAnnotations()
    for (suggestion, decision) in zip(found, decisions) where decision != suggestion.decision {
      annotations.setRelationship(
        decision, of: suggestion.column, in: suggestion.table, to: suggestion.reference)
    }
    return annotations == present ?? SchemaAnnotations() ? nil : annotations
  }
}

extension SuggestionsScreen {
  private func area(in size: Size) -> Rectangle {
    size.box(columns: 100, rows: max(5, found.count + 2))
  }

  func box(in state: BrowserState) -> Rectangle? { area(in: state.size) }

  func body(in state: BrowserState) -> Rectangle {
    area(in: state.size).inset(horizontal: 2, vertical: 1)
  }

  func lineCount(in state: BrowserState) -> Int { found.count }

  mutating func pick(in state: inout BrowserState) {
    decide(.accepted)
  }

  func dismiss(_ state: inout BrowserState) { state.closeSuggestions() }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let area = area(in: buffer.size)
    buffer.fill(area)
    Box(title: "Relationships that are not declared", note: note, isFocused: true)
      .draw(into: &buffer, in: area)
    let body = body(in: state)
    if let sentence {
      for (row, line) in sentence.text.wrapped(to: body.columns).prefix(body.rows).enumerated() {
        buffer.draw(
          line, at: Position(column: body.left, row: body.top + row), width: body.columns,
          role: sentence.role)
      }
    }
    let marks = Marks(buffer.glyphs)
    let widest = found.map { $0.title(arrow: marks.leadsTo).displayWidth() }.max() ?? 0
    drawLines(into: &buffer, in: state) { index, buffer, line in
      draw(index, marks, titleWidth: min(widest, line.columns / 2), into: &buffer, in: line)
    }
    return nil
  }

  private func draw(
    _ index: Int, _ marks: Marks, titleWidth: Int, into buffer: inout ScreenBuffer,
    in line: Rectangle
  ) {
    let suggestion = found[index]
    let (mark, role): (String, StyleRole) =
      switch decisions[index] {
      case .accepted: ("[x]", .key)
      case .refused: ("[-]", .dim)
      case nil: ("[ ]", .key)
      }
    let isRefused = decisions[index] == .refused
    buffer.draw(mark, at: line.origin, width: 3, role: role)
    buffer.draw(
      suggestion.title(arrow: marks.leadsTo), at: Position(column: line.left + 4, row: line.top),
      width: titleWidth, role: isRefused ? .dim : .relationship, truncation: .middle)
    let left = line.left + 4 + titleWidth + 2
    let isWhole = suggestion.foundCount == suggestion.valueCount
    buffer.draw(
      suggestion.proportion, at: Position(column: left, row: line.top),
      width: max(0, line.right - left), role: isRefused ? .dim : isWhole ? .text : .warning)
  }

  private var note: String {
    let accepted = decisions.count { $0 == .accepted }
    return accepted == 0 ? "" : "\(accepted) accepted"
  }

  /// What is in the place of lines.
  private var sentence: (text: String, role: StyleRole)? {
    switch suggestions {
    case nil: ("looking at names and values…", .dim)
    case .failure(let failure)?: (failure.message, .error)
    case .success(let found)? where found.isEmpty:
      ("No column is named after a table whose keys contain its values.", .dim)
    case .success?: nil
    }
  }
}

extension BrowserState {
  /// Looks for relationships that the file does not declare.
  mutating func openSuggestions() {
    open(SuggestionsScreen())
    request(.suggestRelationships)
  }

  /// Closes the list, and takes over what was decided.
  mutating func closeSuggestions() {
    let annotations = overlay(as: SuggestionsScreen.self)?.annotations(changing: annotations)
    closeOverlay()
    request(.stopSuggesting)
    if let annotations { annotate(annotations) }
  }
}

extension CommandScope {
  static let suggestions = CommandScope(
    "suggestions", title: "In the list of relationships that are not declared",
    traits: [.scrolls, .accepts, .closes], labels: ["accept": "accept"],
    openedBy: "suggest-relationships")
}
