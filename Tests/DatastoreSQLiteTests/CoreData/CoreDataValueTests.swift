import DatastoreCore
import DatastoreSQL
import DatastoreTestSupport
import Foundation
import Testing

@testable import DatastoreSQLite

@Suite("Values of Core Data stores that are elsewhere, or archived") struct CoreDataValueTests {
  private let folder: TemporaryDirectory
  private let url: URL
  private static let name = "0AE5F3B1-7F7B-4C68-9B0B-2C4D9B6C1D11"

  init() throws {
    folder = try TemporaryDirectory()
    url = folder.file("Office.storedata")
    try CoreDataSample.office().write(to: url)
  }

  private func setPhoto(_ bytes: [UInt8], of key: Int) throws {
    let hex = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    try SQLiteFile.make(at: url, "UPDATE ZPERSON SET ZPHOTO = x'\(hex)' WHERE Z_PK = \(key)")
  }

  private func photos() throws -> [Value] {
    let store = try SQLiteStore(existing: url)
    defer { try? store.close() }
    let person = try #require(store.schema.entity(named: "Person"))
    let slot = try #require(person.slot(named: "photo"))
    return try [1, 2, 3].map { key in
      let page = try #require(store.rows(entity: person.index, keys: [RowKey(key)]).first)
      return page.value(row: 0, slot: slot)
    }
  }

  @Test("Bytes are those of the cell or of the file, without what says where they are")
  func external() throws {
    try setPhoto([2] + Array(Self.name.utf8) + [0], of: 2)
    try folder.write("content", to: ".Office_SUPPORT/_EXTERNAL_DATA/\(Self.name)")
    try setPhoto([1], of: 3)
    #expect(
      try photos() == [.blob(Data([0xFF, 0xD8])), .blob(Data("content".utf8)), .blob(Data())])
  }

  @Test("Conditions and columns of answers have them, too")
  func answers() throws {
    try setPhoto([2] + Array(Self.name.utf8) + [0], of: 2)
    try folder.write("content", to: ".Office_SUPPORT/_EXTERNAL_DATA/\(Self.name)")
    let store = try SQLiteStore(existing: url)
    let entity = try #require(store.schema.entity(named: "Employee"))
    var text = ValueQueryText()
    text.columns = "name, photo"
    text.predicate = "photo != nil"
    let query = try ValueQuery(text, entity: entity, in: store.schema)
    var rows: [[Value]] = []
    try store.readTransaction {
      try $0.answer(
        query, includingGenerated: true, begin: { _ in },
        row: { page, row in
          rows.append([page.value(row: row, column: 0), page.value(row: row, column: 1)])
        })
    }
    #expect(rows == [["Bob", .blob(Data("content".utf8))]])
  }

  @Test("A file that is gone is said, and no name leads out of the folder")
  func missing() throws {
    try setPhoto([2] + Array(Self.name.utf8) + [0], of: 2)
    let path = "../../../../../../../../etc/hostname.........."
    try setPhoto([2] + Array(path.utf8.prefix(36)) + [0], of: 3)
    let photos = try photos()
    guard case .text(let sentence) = photos[1] else {
      Issue.record("\(photos[1])")
      return
    }
    #expect(sentence.hasSuffix("\(Self.name) of this value is not there)"))
    #expect(photos[2] == .blob(Data([2] + Array(path.utf8.prefix(36)) + [0])))
  }

  @Test("An archive is a tree, in which no object is in itself")
  func archive() throws {
    let lines = try #require(ArchiveOutline(Data(CoreDataSample.archivedNote()))).lines
    #expect(
      lines == [
        "NSDictionary, 3 entries", "  color: TKColor", "    red: 0.5",
        "    tones: NSArray, 2 elements",
        "      0: \"a\"", "      1: 7", "    name: nil", "  made: 2001-01-01T00:00:00Z",
        "  self: (an object that this is in)",
      ])
  }

  @Test("Depth and length of a tree are limited")
  func limits() throws {
    var writer = KeyedArchiveWriter()
    var inner = writer.text("end")
    for _ in 0..<200 { inner = writer.array([inner]) }
    let deep = try #require(ArchiveOutline(Data(writer.archive(root: inner)))).lines
    #expect(deep.count < 60 && deep.last?.hasSuffix("(and deeper)") == true)
    // Each level has the one below twice: as a tree they are 2^60 lines.
    var doubling = KeyedArchiveWriter()
    var level = doubling.text("end")
    for _ in 0..<60 { level = doubling.array([level, level]) }
    let wide = try #require(ArchiveOutline(Data(doubling.archive(root: level)))).lines
    #expect(wide.last == "(and more)" || wide.count < 2_000_001)
    #expect(ArchiveOutline(Data("bplist00".utf8)) == nil)
    #expect(ArchiveOutline(Data([1, 2, 3])) == nil)
  }

  @Test("Bits of a change are the properties by name, those of ancestors among them")
  func changedProperties() throws {
    var sample = CoreDataSample.office()
    sample.hasHistory = true
    let other = folder.file("History.storedata")
    try sample.write(to: other)
    let store = try SQLiteStore(existing: other)
    let number = try #require(sample.numbers["Employee"])
    #expect(store.changedProperties([0x00, 0x40, 0x40], ofEntity: number) == ["name", "title"])
    #expect(store.changedProperties([0xC0], ofEntity: number) == ["born", "boss"])
    #expect(store.changedProperties([0xFF], ofEntity: 99) == [])
    #expect(
      store.modelRemarks == [
        "Person.neighbours is a fetched property", "Person.initial is derived from name",
        "Person.isDirty is transient: it is not stored",
        "Person.note is what a transformer made",
        "Person.photo may be in a file of its own",
      ])
  }
}
