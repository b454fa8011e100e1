import DatastoreImport
import Foundation
import Testing

@Suite("The sample data")
struct SampleDataTests {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "sample-data")

  private struct Loaded {
    let manifest: ImportManifest
    /// The records by the path of their file.
    var records: [String: [ImportRecord]] = [:]
  }

  private func load(_ folder: String) throws -> Loaded {
    let directory = Self.root.appending(path: folder)
    let path = directory.appending(path: "manifest.yaml").path
    var loaded = Loaded(manifest: try ImportManifest(contentsOf: path))
    for file in loaded.manifest.files {
      var reader = try ByteInput(path: directory.appending(path: file.path).path)
        .makeReader(file.readingOptions)
      var records: [ImportRecord] = []
      while let record = try reader.next() { records.append(record) }
      #expect(reader.bytesRead == reader.totalBytes)
      loaded.records[file.path] = records
    }
    return loaded
  }

  @Test("Every file of the company is read")
  func company() throws {
    let counts = try load("company").records.mapValues(\.count)
    #expect(
      counts == [
        "companies.json": 12, "offices.json": 40, "employees.json": 2000, "tasks.json": 6000,
      ])
  }

  @Test("Every file of the world is read")
  func world() throws {
    let records = try load("world").records
    #expect(records["countries.csv"]?.count == 195)
    #expect(records["continents.csv"]?.count == 7)
    #expect(records.count == 6)
    let namibia = records["countries.csv"]?.first { $0["name"] == .text("Namibia") }
    #expect(namibia?["code"] == .text("NA"))
  }

  @Test("Keys are unique and every reference resolves", arguments: ["company", "world"])
  func references(folder: String) throws {
    let loaded = try load(folder)
    var keys: [String: Set<String>] = [:]
    for file in loaded.manifest.files {
      guard case .entity(let content) = file.content, let key = content.key else { continue }
      for record in loaded.records[file.path] ?? [] {
        let text = try #require(record[key].flatMap(Self.keyText), "\(record.position)")
        #expect(keys[content.entity, default: []].insert(text).inserted, "\(record.position)")
      }
    }
    for file in loaded.manifest.files {
      let columns: [(name: String, entity: String)] =
        switch file.content {
        case .links(let links): [(links.from, links.entity), (links.to, links.destination)]
        case .entity(let content):
          content.columns.compactMap { column in
            guard case .reference(let reference) = column.role else { return nil }
            return (column.name, reference.destination)
          }
        }
      for record in loaded.records[file.path] ?? [] {
        for column in columns {
          guard let text = record[column.name].flatMap(Self.keyText) else { continue }
          #expect(keys[column.entity]?.contains(text) == true, "\(record.position): \(text)")
        }
      }
    }
  }

  @Test("The types that the manifest gives are those that the values have")
  func types() throws {
    for folder in ["company", "world"] {
      let loaded = try load(folder)
      for file in loaded.manifest.files {
        guard case .entity(let content) = file.content else { continue }
        for column in content.columns {
          guard case .attribute(let type?) = column.role else { continue }
          let values = (loaded.records[file.path] ?? []).compactMap { $0[column.name] }
          let inferred = try #require(ColumnTypeInference.type(of: values))
          let isNumber = [.integer, .double].contains(inferred)
          #expect(
            inferred == type || inferred == .day && type == .date
              || isNumber && [.double, .decimal].contains(type),
            "\(file.path), \(column.name): \(inferred)")
        }
      }
    }
  }

  private static func keyText(_ value: ImportValue) -> String? {
    switch value {
    case .integer(let integer): String(integer)
    case .text(let text): text
    default: nil
    }
  }
}
