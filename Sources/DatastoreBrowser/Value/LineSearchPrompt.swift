import TerminalUI

/// A screen of lines that can be searched for a text: a whole value, the schema.
protocol SearchableLines: Overlay {
  /// The name of the searched thing in the prompt: `the value`.
  var searchedThing: String { get }
  /// Its name in a message: `this value`.
  var searchedPlace: String { get }
  /// The text of the last search.
  var search: String { get set }
  /// The message of the last search: that there is no match, or that it continued at the other end.
  var message: String { get set }
  /// The line that a search starts from.
  var searchStart: Int { get }

  /// The lines in which a text begins; nil as long as there are no lines.
  func matches(of text: String) -> [Int]?
  mutating func go(toMatch line: Int, size: Size)
  /// Goes to the next match of the last search, or to the previous one.
  mutating func findAgain(forward: Bool, size: Size)
}

extension SearchableLines {
  /// Goes to a match of a text; an empty one ends the search. The search continues at the other end.
  ///
  /// - Parameter includingStart: whether a match at the current line counts.
  mutating func find(_ text: String, forward: Bool, includingStart: Bool, size: Size) {
    search = text
    message = ""
    guard !text.isEmpty, let found = matches(of: text) else { return }
    let start = searchStart
    let next =
      forward
      ? found.first { includingStart ? $0 >= start : $0 > start } ?? found.first
      : found.last { $0 < start } ?? found.last
    guard let next else {
      message = "“\(text)” is not in \(searchedPlace)."
      return
    }
    if forward ? next < start : next >= start, !includingStart {
      message = "The search continued from the \(forward ? "top" : "bottom")."
    }
    go(toMatch: next, size: size)
  }

  mutating func findAgain(forward: Bool, size: Size) {
    find(search, forward: forward, includingStart: false, size: size)
  }

  /// Marks the matches of the last search in a line.
  func markMatches(in shown: String, into buffer: inout ScreenBuffer, in line: Rectangle) {
    guard !search.isEmpty else { return }
    for match in SearchText(search).matches(in: shown, width: line.columns) {
      buffer.restyle(
        Rectangle(
          column: line.left + match.lowerBound, row: line.top, columns: match.count, rows: 1),
        role: .match)
    }
  }
}

/// The line that asks for a text to search a screen of lines for.
struct LineSearchPrompt: FieldOverlay {
  static let scope = CommandScope(
    "line-search", title: "In the search line of a value or the schema", traits: .line,
    labels: ["accept": "stay here"])
  var field = TextField()

  func accept(_ state: inout BrowserState) { state.closeOverlay() }

  func dismiss(_ state: inout BrowserState) {
    state.closeOverlay()
    state.changeSearchedLines { $0.find("", forward: true, includingStart: true, size: $1) }
  }

  func textChanged(in state: inout BrowserState) {
    let text = field.text
    state.changeSearchedLines {
      $0.find(text, forward: true, includingStart: true, size: $1)
    }
  }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let lines = state.overlays.lazy.compactMap { $0 as? any SearchableLines }.last
    let cursor = field.drawLine(
      into: &buffer, in: state.layout.status,
      asking: "Search in \(lines?.searchedThing ?? "the lines"): ")
    let message = lines?.message ?? ""
    if !message.isEmpty {
      let below = state.layout.footer
      buffer.draw(message, in: below, role: .warning)
    }
    return cursor
  }
}

extension BrowserState {
  /// Changes the topmost searchable screen of lines.
  mutating func changeSearchedLines(_ change: (inout any SearchableLines, Size) -> Void) {
    guard let index = overlays.lastIndex(where: { $0 is any SearchableLines }),
      var lines = overlays[index] as? any SearchableLines
    else { return }
    change(&lines, size)
    overlays[index] = lines
  }
}
