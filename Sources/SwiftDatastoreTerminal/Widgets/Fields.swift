import TerminalUI

/// Labels and values, one below the other. Long values are wrapped.
///
/// ```swift
/// Fields(["Name": contact.$name, "Phone": contact.$phone])
/// ```
public struct Fields: Widget {
  private let fields: [(label: String, value: String?)]

  /// Creates fields.
  ///
  /// - Parameter fields: labels and values, from top to bottom; nil for a missing value.
  public init(_ fields: KeyValuePairs<String, String?>) {
    self.fields = fields.map { (label: $0.key, value: $0.value) }
  }

  public func height(columns: Int) -> Int? {
    lines(columns: columns).reduce(0) { $0 + $1.value.count }
  }

  public func draw(in canvas: Canvas) {
    let width = labelWidth(columns: canvas.columns)
    var row = 0
    for line in lines(columns: canvas.columns) {
      canvas.draw(line.label, row: row, width: width, role: .dim)
      for value in line.value {
        canvas.draw(value, column: width + 2, row: row)
        row += 1
      }
    }
  }

  /// The width of the widest label, at most half of the room.
  private func labelWidth(columns: Int) -> Int {
    let limit = columns / 2
    return fields.reduce(0) { max($0, min(limit, $1.label.displayWidth(upTo: limit))) }
  }

  private func lines(columns: Int) -> [(label: String, value: [String])] {
    let room = max(1, columns - labelWidth(columns: columns) - 2)
    return fields.map { ($0.label, ($0.value ?? "").wrapped(to: room)) }
  }
}
