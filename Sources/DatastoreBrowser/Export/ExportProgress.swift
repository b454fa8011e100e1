import Basics
import TerminalUI

/// The progress of an export. It receives the keys until the export ends, so that the rows do not change
/// meanwhile.
struct ExportProgress: Overlay {
  static let scope = CommandScope(
    "exporting", title: "While a file is written", traits: [.types, .closes],
    labels: ["close": "stop"])
  let request: ExportRequest
  private(set) var rows = 0

  init(_ request: ExportRequest) {
    self.request = request
  }

  /// Applies the number of written rows, unless it is from an older export.
  mutating func apply(rows: Int, of number: Int) {
    if number == request.number { self.rows = rows }
  }

  func dismiss(_ state: inout BrowserState) { state.request(.stopExporting) }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let area = buffer.size.box(columns: 64, rows: 6)
    Box(title: "Export", note: "esc stops").cover(&buffer, in: area)
    let inside = area.inset(horizontal: 2, vertical: 1)
    let count = request.rows.count
    buffer.draw("\(request.format.title) to \(request.path)", in: inside, truncation: .head)
    buffer.draw(
      "\(CountText.grouped(rows)) of \(CountText.counted(count, "row"))", in: inside.row(1),
      role: .dim)
    let fraction = count == 0 ? 1 : Double(rows) / Double(count)
    ProgressBar(fraction: fraction).draw(
      into: &buffer, at: Position(column: inside.left, row: inside.top + 2), width: inside.columns)
    return nil
  }
}
