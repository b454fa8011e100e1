import Basics
import DatastoreCore
import Gates

/// `INSERT` statements that store exactly the values that were read, all in one transaction: dates as their
/// numbers, bytes as `X'…'`. Text with controls, or that is not UTF-8, is written as its bytes.
struct InsertWriter: RowWriter {
  private let columnCount: Int
  private let head: [UInt8]
  private let output: ExportOutput

  init(_ columns: [ExportColumn], options: ExportOptions, output: ExportOutput) {
    columnCount = columns.count
    self.output = output
    var statement = "INSERT INTO \(Quoting.sqlName(options.table)) ("
    statement += columns.map { Quoting.sqlName($0.name) }.joined(separator: ", ") + ") VALUES ("
    head = Array((options.isForTerminal ? statement.withoutTerminalControls : statement).utf8)
  }

  mutating func begin() throws {
    output.append("BEGIN;\n")
  }

  mutating func write(_ page: RowPage, row: Int, _: RowTexts?) throws {
    output.append(head)
    for column in 0..<columnCount {
      if column > 0 { output.append(", ") }
      switch page.tag(row: row, column: column) {
      case .null: output.append("NULL")
      case .integer: output.append(integer: page.integer(row: row, column: column), as: .integer64)
      case .real: append(real: page.real(row: row, column: column))
      case .text: append(text: page.bytes(row: row, column: column))
      case .blob:
        output.append("X'")
        output.append(hex: page.bytes(row: row, column: column))
        output.append(UInt8(ascii: "'"))
      }
    }
    output.append(");\n")
    try output.endRow()
  }

  mutating func end() throws {
    output.append("COMMIT;\n")
    try output.flush()
  }

  private func append(real: Double) {
    if !real.isFinite || real == 0 || SQLiteDigits.areExact(real.description) {
      output.append(real: real, as: .double)
    } else {
      output.append(SQLiteDigits.product(real))
    }
  }

  private func append(text bytes: UnsafeBufferPointer<UInt8>) {
    guard Self.isPlain(bytes) else {
      output.append("CAST(X'")
      output.append(hex: bytes)
      output.append("' AS TEXT)")
      return
    }
    Quoting.append(bytes, between: UInt8(ascii: "'"), to: &output.buffer)
  }

  private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    if UTF8Sequences.firstFault(in: bytes) != nil { return false }
    for index in bytes.indices {
      if let (scalar, _) = HarmfulBytes.character(at: index, of: bytes), scalar != 0x0A {
        return false
      }
    }
    return true
  }
}
