import DatastoreCore
import DatastoreExport
import Foundation
import TerminalUI
import Testing

@Suite("Row writers")
struct RowWriterTests {
  private static let columns = [
    ExportColumn(name: "id", type: .integer64), ExportColumn(name: "text", type: .string),
    ExportColumn(name: "real", type: .double), ExportColumn(name: "blob", type: .data),
    ExportColumn(name: "flag", type: .boolean), ExportColumn(name: "at", type: .date),
    ExportColumn(name: "key", type: .uuid), ExportColumn(name: "sum", type: .decimal),
  ]
  private static let rows: [[Value]] = [
    [
      1, "a \"b\", c|*d*\n", .real(0.1), .blob(Data([0, 255, 16])), .integer(1), .real(0.25),
      .blob(Data(1...16)), "12345678901234567890.5",
    ],
    [
      .integer(.min), "", .real(-0.0), .blob(Data()), .integer(0), .integer(-1), .null, .real(1e20),
    ],
    [.null, .null, .real(.infinity), .null, .null, .null, .null, .null],
  ]

  /// The rows as a format writes them.
  static func written(
    _ rows: [[Value]], _ columns: [ExportColumn], as format: ExportFormat,
    _ configure: (inout ExportOptions) -> Void = { _ in }
  ) throws -> String {
    var options = ExportOptions()
    configure(&options)
    let output = ExportOutput()
    var writer = format.makeWriter(columns, options: options, to: output)
    try writer.begin()
    for values in rows {
      let page = RowPage(columnCount: columns.count, rowCapacity: 1)
      page.appendRow(key: 0)
      for (column, value) in values.enumerated() {
        page.setValue(value, row: 0, column: column)
      }
      page.seal()
      try writer.write(page, row: 0)
    }
    try writer.end()
    return try #require(String(validating: output.contents, as: UTF8.self), "not UTF-8")
  }

  @Test("CSV quotes what it must, and tells NULL from empty text")
  func csv() throws {
    #expect(
      try Self.written(Self.rows, Self.columns, as: .csv) == """
        id,text,real,blob,flag,at,key,sum
        1,"a ""b"", c|*d*
        ",0.1,AP8Q,true,2001-01-01T00:00:00.250Z,01020304-0506-0708-090A-0B0C0D0E0F10,12345678901234567890.5
        -9223372036854775808,"",-0.0,"",false,2000-12-31T23:59:59Z,,100000000000000000000
        ,,1e999,,,,,

        """)
  }

  @Test("A text for NULL stands without quotes, and text like it with them")
  func null() throws {
    let columns = [ExportColumn(name: "a", type: .string), ExportColumn(name: "b", type: .string)]
    let text = try Self.written([[.null, "NA"], ["", "x\ty"]], columns, as: .tsv) {
      $0.null = "NA"
      $0.writesHeader = false
    }
    #expect(text == "NA\t\"NA\"\n\"\"\t\"x\ty\"\n")
  }

  @Test("JSON keeps every digit")
  func json() throws {
    #expect(
      try Self.written(Self.rows, Self.columns, as: .json) == #"""
        [
        {"id":1,"text":"a \"b\", c|*d*\n","real":0.1,"blob":"AP8Q","flag":true,"at":"2001-01-01T00:00:00.250Z","key":"01020304-0506-0708-090A-0B0C0D0E0F10","sum":"12345678901234567890.5"},
        {"id":-9223372036854775808,"text":"","real":-0.0,"blob":"","flag":false,"at":"2000-12-31T23:59:59Z","key":null,"sum":100000000000000000000},
        {"id":null,"text":null,"real":1e999,"blob":null,"flag":null,"at":null,"key":null,"sum":null}
        ]

        """#)
    #expect(try Self.written([], Self.columns, as: .json) == "[]\n")
    #expect(try Self.written([], Self.columns, as: .jsonLines) == "")
  }

  @Test("Columns of one name are members of different names in JSON")
  func repeatedNames() throws {
    let column = ExportColumn(name: "id", type: .undefined)
    #expect(
      try Self.written([[1, 2]], [column, column], as: .jsonLines) == "{\"id\":1,\"id_2\":2}\n")
  }

  @Test("SQL stores the values themselves")
  func sql() throws {
    let text = try Self.written(Self.rows, Self.columns, as: .sql) { $0.table = "my \"table\"" }
    let lines = text.split(separator: ";\n")
    #expect(lines.first == "BEGIN")
    #expect(lines.last == "COMMIT")
    #expect(
      lines[2].hasPrefix("INSERT INTO \"my \"\"table\"\"\" (\"id\", \"text\", "),
      "\(lines[2])")
    #expect(lines[2].hasSuffix("VALUES (-9223372036854775808, '', -0.0, X'', 0, -1, NULL, 1e+20)"))
  }

  @Test("Markdown escapes its own signs")
  func markdown() throws {
    let columns = [
      ExportColumn(name: "n", type: .integer64), ExportColumn(name: "a|b", type: .string),
    ]
    #expect(
      try Self.written([[1, "x|*y*\n<b>"], [.null, ""]], columns, as: .markdown) == """
        | n | a\\|b |
        | ---: | --- |
        | 1 | x\\|\\*y\\*<br>&lt;b> |
        | *NULL* |  |

        """)
  }

  @Test("A table is aligned by cells, with wide characters and marks")
  func table() throws {
    let columns = [
      ExportColumn(name: "n", type: .undefined), ExportColumn(name: "name", type: .string),
    ]
    let rows: [[Value]] = [[1, "日本"], [22, "\u{1B}[31mred"], [.null, ""]]
    #expect(
      try Self.written(rows, columns, as: .table) == """
        ┌────┬──────────┐
        │  n │ name     │
        ├────┼──────────┤
        │  1 │ 日本     │
        │ 22 │ ␛[31mred │
        │  ∅ │          │
        └────┴──────────┘

        """)
    #expect(
      try Self.written(rows, columns, as: .table) { $0.glyphs = .ascii } == """
        +------+----------+
        |    n | name     |
        +------+----------+
        |    1 | 日本     |
        |   22 | ␛[31mred |
        | NULL |          |
        +------+----------+

        """)
  }

  @Test("Rows behind the sample are not cut, and long values are")
  func tableWidths() throws {
    let column = [ExportColumn(name: "t", type: .string)]
    var rows: [[Value]] = Array(repeating: ["ab"], count: 200)
    rows += [["abcdef"], [.text(String(repeating: "x", count: 500))]]
    let lines = try Self.written(rows, column, as: .table).split(separator: "\n")
    #expect(lines[3] == "│ ab │")
    #expect(lines[203] == "│ abcdef │")
    #expect(lines[204] == "│ \(String(repeating: "x", count: 119))… │")
  }

  @Test("Nothing that a terminal obeys comes out of any format", arguments: ExportFormat.allCases)
  func terminal(format: ExportFormat) throws {
    let text = "\u{1B}]0;x\u{7} \u{9B}31m \u{202E}rtl\u{2066} \u{8}\u{0}\u{7F}\r\u{2028}"
    let columns = [
      ExportColumn(name: "a\u{1B}c", type: .string), ExportColumn(name: "b", type: .string),
    ]
    let output = try Self.written([[.text(text), "plain"]], columns, as: format) {
      $0.isForTerminal = true
      $0.table = "t\u{1B}[2J"
    }
    let harmful = output.unicodeScalars.filter { scalar in
      scalar != "\n" && !(format == .tsv && scalar == "\t")
        && (scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value))
        || (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
        || scalar == "\u{2028}"
    }
    #expect(harmful.isEmpty, "\(harmful.map(\.value)) in \(output.debugDescription)")
    #expect(output.contains("plain"))
  }

  @Test("Text that is not UTF-8 is repaired and counted; SQL keeps its bytes")
  func invalid() throws {
    let column = [ExportColumn(name: "t", type: .string)]
    for format in ExportFormat.allCases {
      let output = ExportOutput()
      var writer = format.makeWriter(column, to: output)
      try writer.begin()
      let page = RowPage(columnCount: 1, rowCapacity: 1)
      page.appendRow(key: 0)
      [0x61, 0xFF, 0x62].withUnsafeBufferPointer { page.setBytes($0, tag: .text, row: 0, slot: 0) }
      page.seal()
      try writer.write(page, row: 0)
      try writer.end()
      let text = try #require(String(validating: output.contents, as: UTF8.self))
      #expect(text.contains(format == .sql ? "CAST(X'61FF62' AS TEXT)" : "a\u{FFFD}b"))
    }
  }

  @Test("Numbers read back as the same numbers")
  func numbers() throws {
    let column = [ExportColumn(name: "x", type: .double)]
    let reals = [
      Double.leastNonzeroMagnitude, Double.greatestFiniteMagnitude, 0.1 + 0.2, 123456789.123456,
      1e16, -1e-7,
    ]
    let lines = try Self.written(reals.map { [.real($0)] }, column, as: .csv).split(separator: "\n")
    #expect(lines.dropFirst().map { Double($0) } == reals)
    let decimals = [ExportColumn(name: "x", type: .decimal)]
    #expect(
      try Self.written([[.real(1e-7)], [.real(0.15)], [.real(-2.5e17)]], decimals, as: .csv)
        == "x\n0.0000001\n0.15\n-250000000000000000\n")
    let floats = [ExportColumn(name: "x", type: .float)]
    #expect(try Self.written([[.real(Double(Float(0.1)))]], floats, as: .csv) == "x\n0.1\n")
  }
}
