import DatastoreImport
import TerminalUI

/// The import that runs, or that was last: how far it is, and a table of the records that were left
/// out.
struct ImportScreen: LineListOverlay {
  var scope: CommandScope { .importScreen }
  var scroll = ScrollState()

  private static func area(in size: Size) -> Rectangle {
    Rectangle(size).split(bottom: 2).rest
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
    let (text, role) = run.summary(marks)
    let bar = run.outcome == nil ? 24 : 0
    let first = text.wrapped(to: max(1, area.columns - (bar == 0 ? 0 : bar + 1)))
    for (row, line) in first.prefix(2).enumerated() {
      buffer.draw(
        line, at: Position(column: area.left, row: area.top + row), width: area.columns, role: role)
    }
    if bar > 0 {
      ProgressBar(fraction: run.progress?.pace.fraction).draw(
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
    let more = run.faultCount - run.faults.count
    let fault = run.faults[min(scroll.cursor, run.faults.count - 1)]
    let place = "line \(fault.position.line), column \(fault.position.column)"
    let column = fault.column.map { "\($0): " } ?? ""
    var foot = "\(run.fileName), \(place): \(column)\(fault.reason).".wrapped(to: body.columns)
      .prefix(3)
    if more > 0 { foot = foot.prefix(2) + ["\(CountText.grouped(more)) more are not listed."] }
    for (row, text) in foot.enumerated() {
      buffer.draw(
        text, at: Position(column: body.left, row: body.bottom + 1 + row), width: body.columns,
        role: .dim)
    }
  }
}

extension ImportState.Run {
  /// How it goes or has gone, in sentences.
  func summary(_ marks: Marks) -> (String, StyleRole) {
    switch outcome {
    case nil:
      return ("\(sentence(marks)). x cancels; what has been written stays.", .text)
    case .completed(let report):
      return (
        Self.sentence(report, "Imported \(Self.count(report)) into \(entity)"),
        faultCount > 0 ? .warning : .success
      )
    case .cancelled:
      if written == 0 { return ("The import was cancelled before any row was written.", .warning) }
      return (
        "The import was cancelled. \(CountText.counted(written, "row")) had been written to "
          + "\(entity) and stay there; nothing of the rest was.", .warning
      )
    case .failed(let reason):
      let rows = written == 0 ? "Nothing was" : "\(CountText.counted(written, "row")) had been"
      return ("\(reason) \(rows) written to \(entity) before that.", .error)
    }
  }

  /// How many rows were taken, and of how many if some were not.
  private static func count(_ report: LoadReport) -> String {
    let all = CountText.counted(report.rows, "row")
    return report.skippedRows == 0 ? all : "\(CountText.grouped(report.rowsTaken)) of \(all)"
  }

  /// What was done with the rows.
  static func sentence(_ report: LoadReport, _ beginning: String) -> String {
    var parts: [String] = []
    if report.inserted > 0 { parts.append("\(CountText.grouped(report.inserted)) new") }
    if report.updated > 0 { parts.append("\(CountText.grouped(report.updated)) updated") }
    if report.skippedRows > 0 { parts.append("\(CountText.grouped(report.skippedRows)) left out") }
    if report.skippedReferences > 0 {
      parts.append("\(CountText.counted(report.skippedReferences, "reference")) left empty")
    }
    return beginning + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")) + "."
  }
}
