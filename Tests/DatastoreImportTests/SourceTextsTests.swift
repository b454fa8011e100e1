import DatastoreCore
import DatastoreTestSupport
import Foundation
import Gates
import Testing

@testable import DatastoreImport

/// Rows get back the texts that they have in their file.
@Suite("Texts of the cells of a file")
struct SourceTextsTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func source(_ text: String, _ name: String = "t.csv") throws -> LoadSource {
    try source(Data(text.utf8), name)
  }

  private func source(_ data: Data, _ name: String) throws -> LoadSource {
    let file = directory.file(name)
    try data.write(to: file)
    var options = ReadingOptions()
    options.csv.repairsHeader = true
    options.csv.keepsIrregular = true
    options.json.keepsIrregular = true
    return try #require(
      try LoadPlan(paths: [file.path], entity: "t", reading: options).sources.first)
  }

  private func entity(_ source: LoadSource) throws -> Entity {
    try #require(
      try LoadPlan(sources: [source]).inferredSchema { _ in }.schema.entity(named: "t"))
  }

  /// A page of one row.
  private func page(_ values: [Value]) -> RowPage {
    let page = RowPage(columnCount: values.count, rowCapacity: 1)
    page.appendRow(key: 1)
    for (column, value) in values.enumerated() { page.setValue(value, row: 0, column: column) }
    page.seal()
    return page
  }

  private func shown(_ texts: RowTexts?, _ count: Int) -> [String]? {
    texts.map { texts in
      (0..<count).map { column in
        if texts.form(of: column) == .value { return "–" }
        let text = texts.withBytes(of: column) { String(decoding: $0, as: UTF8.self) }
        return texts.form(of: column) == .quoted ? "\"\(text)\"" : text
      }
    }
  }

  // Promise: rows are exported in another order than the file's → records are found again, forwards and
  // backwards.
  @Test(
    "Rows are found in any order, forwards and backwards, also of compressed files and UTF-16",
    arguments: ["t.csv", "t.csv.gz", "u.csv", "t.json", "t.jsonl", "seq.json"])
  func anyOrder(name: String) throws {
    let seed = RandomCases.seed(0)
    var random = SeededRandom(seed: seed)
    let count = 40 + random.below(300)
    let texts = (0..<count).map { _ in "\(random.below(1000)).\(random.below(10))0" }
    let data: Data
    switch name {
    case "t.json":
      data = Data("[\(texts.map { "{\"n\": \($0)}" }.joined(separator: ",\n"))]".utf8)
    case "t.jsonl", "seq.json":
      data = Data(texts.map { "{\"n\":\($0)}\n" }.joined(separator: "\n").utf8)
    case "u.csv":
      data =
        Data([0xFF, 0xFE])
        + Data(
          "n,m\r\n\(texts.map { "\($0),é\r\n" }.joined())".utf16
            .flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
    default: data = Data("n,m\r\n\(texts.map { "\($0),é\r\n" }.joined(separator: "\r\n"))".utf8)
    }
    var source = try source(data, name == "t.csv.gz" ? "t.csv" : name)
    if name == "t.csv.gz" {
      _ = try spawn(
        "/bin/sh", ["-c", "gzip -k \"$0\"", directory.path("t.csv")],
        output: URL(fileURLWithPath: "/dev/null"))
      source.input = .file(path: directory.file("t.csv.gz").path)
    }
    let entity = try entity(source)
    var file = try #require(
      try SourceTexts(of: source, as: entity, columns: [entity.slot(named: "n")], areEdited: false))
    let page = page([.null])
    for step in 0..<400 {
      // Mostly along the file.
      let row = random.below(3) > 0 ? step % count : random.below(count + 3)
      let found = try file.texts(of: RowKey(Int64(row + 1)), page, row: 0)
      #expect(
        shown(found, 1) == (row < count ? [texts[row]] : nil), "seed \(seed), row \(row)")
    }
  }

  // Promise: a cell was edited → it gets a text in the form that it had; what was written is where it is
  // now.
  // Also: `SourceTextsTests.written`, `SourceTextsTests.moments`
  @Test("A cell that was edited gets a text in the form that it had; new rows have none")
  func edited() throws {
    let source = try source(
      "price,at,day,ok,word\n999.50,2024-01-05 09:00:00+02:00,1/5/2024,TRUE,\"x\"\n1.00,2024-01-05 10:00+02:00,12/31/2024,FALSE,\n"
    )
    let entity = try entity(source)
    #expect(
      entity.properties.compactMap(\.attribute?.type) == [
        .double, .date, .calendarDate, .boolean, .string,
      ])
    var file = try #require(
      try SourceTexts(
        of: source, as: entity,
        columns: ["price", "at", "day", "ok", "word"].map { entity.slot(named: $0) },
        areEdited: true))
    let moment = try #require(ISODate.parse("2024-01-05T07:00:00Z"))
    let same: [Value] = [
      .real(999.5), .real(moment), .text("2024-01-05"), .integer(1), .text("x"),
    ]
    #expect(
      shown(try file.texts(of: 1, page(same), row: 0), 5)
        == ["999.50", "2024-01-05 09:00:00+02:00", "1/5/2024", "TRUE", "\"x\""])
    let other: [Value] = [
      .real(2), .real(moment + 60.25), .text("2024-02-03"), .integer(0), .text(""),
    ]
    let written = shown(try file.texts(of: 1, page(other), row: 0), 5)
    #expect(
      written == ["2.0", "2024-01-05 09:01:00.250+02:00", "2/3/2024", "FALSE", "\"\""])
    #expect(try file.texts(of: 3, page(same), row: 0) == nil)
    #expect(try file.texts(of: -1, page(same), row: 0) == nil)
  }

  @Test("A moment is written in the form of another one, if that says which moment it is")
  func moments() {
    var reading = ValueReading()
    let attribute = AttributeDescription(name: "at", type: .date)
    func written(_ iso: String, like former: String, _ dates: DateOrder? = nil) -> String? {
      reading.dates = dates
      return ISODate.parse(iso).flatMap {
        FieldText(reading: reading).text(.real($0), attribute, like: former)
      }
    }
    #expect(written("2024-01-05T09:00:00Z", like: "1999-12-31 10:00:00") == "2024-01-05 09:00:00")
    #expect(written("2024-01-05T09:00:00Z", like: "1999-12-31T10:00") == "2024-01-05T09:00")
    #expect(written("2024-01-05T09:00:30Z", like: "1999-12-31T10:00") == "2024-01-05T09:00:30")
    #expect(
      written("2024-01-05T23:30:00Z", like: "1999-12-31 10:00:00+02:00")
        == "2024-01-06 01:30:00+02:00")
    #expect(
      written("2024-01-05T09:00:00.5Z", like: "1999-12-31 10:00:00.000-0530")
        == "2024-01-05 03:30:00.500-0530")
    #expect(
      written("2024-03-05T09:00:00Z", like: "12/31/1999 10:00", .monthFirst) == "3/5/2024 09:00")
    #expect(
      written("2024-03-05T09:00:00Z", like: "1/2/1999 10:00", .monthFirst) == "3/5/2024 09:00")
    #expect(written("2024-03-05T00:00:00Z", like: "31.12.1999") == "5.3.2024")
    // A day has no place for a time.
    #expect(written("2024-03-05T09:00:00Z", like: "1999-12-31") == "2024-03-05T09:00:00Z")
    #expect(written("2024-03-05T09:00:00Z", like: "soon") == "2024-03-05T09:00:00Z")
  }

  @Test(
    "Of cells that are written by their values, only moments in billionths of a second have a text")
  func typed() throws {
    let source = try source(
      "price,at\n1.50,2024-01-05 09:00:00.123456789+02:00\n2.50,2024-01-05 10:00:00.250+02:00\n")
    let entity = try entity(source)
    #expect(entity.properties.compactMap(\.attribute?.type) == [.double, .date])
    var file = try #require(
      try SourceTexts(
        of: source, as: entity, columns: ["price", "at"].map { entity.slot(named: $0) },
        areEdited: false, areTyped: true))
    let page = page([.null, .null])
    #expect(
      shown(try file.texts(of: 1, page, row: 0), 2) == ["–", "2024-01-05T07:00:00.123456789Z"])
    #expect(shown(try file.texts(of: 2, page, row: 0), 2) == ["–", "–"])
    #expect(try file.texts(of: 3, page, row: 0) == nil)
  }

  @Test("A file that was written has its rows where they are now")
  func written() throws {
    let source = try source("n\n1.0\n2.0\n3.0\n")
    let entity = try entity(source)
    var memory = RewriteMemory()
    memory.keys = [2...2, 7...8]
    var file = try #require(
      try SourceTexts(
        of: source, as: entity, columns: [entity.slot(named: "n")], memory: memory,
        areEdited: false))
    let page = page([.null])
    let found = try [8, 2, 7, 1, 3, 9].map { shown(try file.texts(of: $0, page, row: 0), 1) }
    #expect(found == [["3.0"], ["1.0"], ["2.0"], nil, nil, nil])
  }
}
