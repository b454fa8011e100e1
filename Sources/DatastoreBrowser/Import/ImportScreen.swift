import Basics
import DatastoreImport
import TerminalUI

/// The import that runs, or that was last: how far it is, and a table of the records that were left
/// out. `ImportFaults.swift` has what is copied and exported of them.
struct ImportScreen: LineListOverlay {
  var scope: CommandScope { .importScreen }
  var scroll = ScrollState()

  private static func area(in size: Size) -> Rectangle {
    Rectangle.aboveStatus(size)
  }

  /// Where the faults are; four rows above them say how the import goes, three below show one fault whole.
  private static func body(in size: Size) -> Rectangle {
    area(in: size).inset(horizontal: 2, vertical: 1).split(top: 4).rest.split(bottom: 4).rest
  }

  func lineCount(in state: BrowserState) -> Int { state.importing.run?.faults.count ?? 0 }

  func body(in state: BrowserState) -> Rectangle { Self.body(in: state.size) }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let area = Self.area(in: buffer.size)
    buffer.fill(area)
    guard let run = state.importing.run else { return nil }
    let inside = Box(title: "Import of \(run.fileName) into \(run.entity)", isFocused: true)
      .draw(into: &buffer, in: area).inset(horizontal: 1)
    drawSummary(of: run, into: &buffer, in: inside)
    let body = Self.body(in: buffer.size)
    guard !run.faults.isEmpty else {
      buffer.draw(
        run.outcome == nil ? "Nothing has been left out so far." : "Nothing was left out.",
        at: body.origin, width: body.columns, role: .dim)
      return nil
    }
    drawFaults(of: run, into: &buffer, in: body, state)
    return nil
  }

  private func drawSummary(
    of run: ImportState.Run, into buffer: inout ScreenBuffer, in area: Rectangle
  ) {
    let marks = Marks(buffer.glyphs)
    let (text, severity) = run.summary(marks)
    let bar = run.outcome == nil ? 24 : 0
    let first = text.wrapped(to: max(1, area.columns - (bar == 0 ? 0 : bar + 1)))
    for (row, line) in first.prefix(2).enumerated() {
      buffer.draw(
        line, at: Position(column: area.left, row: area.top + row), width: area.columns,
        role: run.outcome == nil ? .text : severity.role)
    }
    if bar > 0 {
      ProgressBar(fraction: run.progress?.rate.fraction).draw(
        into: &buffer, at: Position(column: area.right - bar, row: area.top), width: bar)
    }
    if case .completed(let report) = run.outcome, !report.notes.isEmpty {
      buffer.draw(
        report.notes.joined(separator: " "), at: Position(column: area.left, row: area.top + 2),
        width: area.columns, role: .warning)
    }
  }

  private static func tracks(_ line: Rectangle) -> [Rectangle] {
    line.sideBySide(
      [
        .fixed(8), .share(minimum: 10, maximum: 24), .share(minimum: 12, maximum: 32),
        .share(weight: 3, minimum: 24),
      ], spacing: 1)
  }

  private func drawFaults(
    of run: ImportState.Run, into buffer: inout ScreenBuffer, in body: Rectangle,
    _ state: BrowserState
  ) {
    let heading = Rectangle(column: body.left, row: body.top - 1, columns: body.columns, rows: 1)
    for (track, title) in zip(Self.tracks(heading), ["Row", "Column", "Value", "Reason"]) {
      buffer.draw(title, at: track.origin, width: track.columns, role: .columnHeader)
    }
    let marks = Marks(buffer.glyphs)
    drawLines(into: &buffer, in: state) { index, buffer, line in
      let fault = run.faults[index]
      let texts: [(String, StyleRole)] = [
        (fault.record.map { CountText.grouped($0) } ?? "", .number), (fault.column ?? "", .text),
        (
          fault.value ?? (fault.column == nil ? "" : marks.null), fault.value == nil ? .null : .text
        ),
        (fault.reason, .warning),
      ]
      for (track, (text, role)) in zip(Self.tracks(line), texts) {
        buffer.draw(text, at: track.origin, width: track.columns, role: role)
      }
    }
    let fault = run.faults[min(scroll.cursor, run.faults.count - 1)]
    var foot = fault.sentence(in: run.fileName).wrapped(to: body.columns).prefix(3)
    if let more = run.unlistedSentence { foot = foot.prefix(2) + [more] }
    for (row, text) in foot.enumerated() {
      buffer.draw(
        text, at: Position(column: body.left, row: body.bottom + 1 + row), width: body.columns,
        role: .dim)
    }
  }
}

extension CommandScope {
  static let importScreen = CommandScope(
    "import-progress", title: "In the view of an import",
    traits: [.scrolls, .closes, .copiesValue, .copiesRow], openedBy: "import-progress")
}
