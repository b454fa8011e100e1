/// The progress of a long job.
package struct ProgressBar: Hashable, Sendable {
  /// The part done, from 0 to 1; nil when the whole is unknown.
  package var fraction: Double?

  /// Makes a bar; parts outside 0 to 1 count as the nearer end.
  package init(fraction: Double?) {
    self.fraction = fraction.map { $0.isNaN ? 0 : min(max($0, 0), 1) }
  }

  /// Draws the bar in one row with the percentage after it. Only a finished job fills the bar: 99.9 % leaves
  /// a cell empty.
  package func draw(into buffer: inout ScreenBuffer, at position: Position, width: Int) {
    let barWidth = width - 5
    guard barWidth > 0 else { return }
    let done = fraction ?? 0
    let filled = Int((done * Double(barWidth)).rounded(.down))
    for step in 0..<barWidth {
      buffer.draw(
        step < filled ? buffer.glyphs.fullBlock : buffer.glyphs.track,
        at: Position(column: position.column + step, row: position.row), width: 1,
        role: step < filled ? .progress : .dim)
    }
    let percent = fraction == nil ? "?" : "\(Int((done * 100).rounded(.down)))%"
    buffer.draw(
      percent, at: Position(column: position.column + barWidth, row: position.row), width: 5,
      alignment: .trailing)
  }
}
