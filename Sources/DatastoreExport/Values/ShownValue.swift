import DatastoreCore
import Foundation

/// A value as text for people.
enum ShownValue {
  case null
  case number(String)
  /// Booleans, dates, UUIDs and bytes: harmless text.
  case plain(String)
  /// Text from the data, which may hold any character.
  case text(String)

  /// The number of bytes that are shown in full. Longer values show their first bytes and their size.
  private static let byteLimit = 32

  init(_ page: RowPage, row: Int, column: Int, _ described: ExportColumn) {
    let type = described.type
    switch page.tag(row: row, column: column) {
    case .null: self = .null
    case .integer:
      let integer = page.integer(row: row, column: column)
      if let moment = described.dates?.moment(of: .integer(integer)) {
        self = .plain(moment.iso)
      } else if type == .date, let date = Self.date(Double(integer)) {
        self = .plain(date)
      } else {
        let isWord = type == .boolean && (integer == 0 || integer == 1)
        let text = Self.written { $0.append(integer: integer, as: type) }
        self = isWord ? .plain(text) : .number(text)
      }
    case .real:
      let real = page.real(row: row, column: column)
      if let moment = described.dates?.moment(of: .real(real)) {
        self = .plain(moment.iso)
      } else if type == .date, let date = Self.date(real) {
        self = .plain(date)
      } else if real.isFinite {
        self = .number(Self.written { $0.append(real: real, as: type) })
      } else {
        self = .number(real.description)
      }
    case .text:
      let text = page.text(row: row, column: column)
      self = type == .decimal ? .number(text.withoutTerminalControls) : .text(text)
    case .blob:
      let bytes = page.bytes(row: row, column: column)
      if type == .uuid, bytes.count == 16 {
        self = .plain(Self.written { $0.append(uuid: bytes) })
      } else {
        let shown = UnsafeBufferPointer(rebasing: bytes.prefix(Self.byteLimit))
        let digits = Self.written { $0.append(hex: shown) }
        self = .plain(
          bytes.count > Self.byteLimit
            ? "X'\(digits)…' (\(bytes.count) bytes)" : "X'\(digits)'")
      }
    }
  }

  private static func date(_ seconds: Double) -> String? {
    var isWritten = false
    let text = written { isWritten = $0.append(date: seconds) }
    return isWritten ? text : nil
  }

  private static func written(_ write: (ExportOutput) -> Void) -> String {
    let output = ExportOutput()
    write(output)
    return String(decoding: output.contents, as: UTF8.self)
  }
}
