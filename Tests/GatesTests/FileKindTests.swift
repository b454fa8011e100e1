import Gates
import Testing

/// What the first bytes of a file tell of it.
@Suite struct FileKindTests {
  /// The beginning of an archive whose first members have these names.
  private func archive(_ names: String...) -> [UInt8] {
    names.flatMap { name in
      [0x50, 0x4B, 0x03, 0x04] + [UInt8](repeating: 0, count: 26) + Array(name.utf8)
    }
  }

  @Test("Archives are told by their first members")
  func archives() {
    let type = "application/vnd.oasis.opendocument.spreadsheet"
    #expect(FileKind.name(of: archive("a.csv", "xl/b.csv")) == "zip archive")
    #expect(FileKind.name(of: archive("mimetype" + type)) == "OpenDocument spreadsheet")
    for first in ["[Content_Types].xml", "docProps/app.xml", "_rels/.rels"] {
      #expect(FileKind.name(of: archive(first, "xl/workbook.xml")) == "Excel workbook")
      #expect(FileKind.name(of: archive(first, "word/document.xml")) == "zip archive")
    }
  }

  @Test("Only files with tables have advice")
  func advice() {
    #expect(FileKind.reason(ofTablesIn: archive("a.csv"))?.contains(".zip") == true)
    #expect(FileKind.reason(ofTablesIn: "PAR1\u{15}\u{4}".utf8)?.contains(".parquet") == true)
    for text in ["PAR1,PAR2\n", "a,b\n", "PK\n", "", "%PDF-1.4", "{}"] {
      #expect(FileKind.reason(ofTablesIn: text.utf8) == nil, "\(text)")
    }
  }
}
