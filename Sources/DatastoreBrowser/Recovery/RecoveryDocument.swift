import DatastoreCore
import Foundation

/// The content of a recovery file: JSON lines, the first about the file, then one for each object.
struct RecoveryDocument: Hashable, Sendable {
  /// The version of this format; 2 can contain changes of the schema.
  static let version = 2

  struct Header: Codable, Hashable, Sendable {
    var format = "datastore-recovery"
    /// The lowest version that can express the content of the file.
    var version = 1
    /// The path of the store.
    var store: String
    /// The states of the files whose records have the numbers by which objects are named; nil for a store.
    var files: [String]?
    /// The staged schema edits; nil for none.
    var schemaEdits: [SchemaEdit]?
  }

  var header: Header
  var objects: [RecordedObject]

  /// - Parameter keyValues: returns the key values of a row whose key is not an integer in the file.
  init(
    _ staged: [StagedObject], _ schemaEdits: [SchemaEdit] = [], schema: Schema, store: String,
    files: [String] = [],
    keyValues: (_ entity: EntityIndex, _ key: RowKey) -> [Value]?
  ) {
    header = Header(store: store, files: files.isEmpty ? nil : files)
    if !schemaEdits.isEmpty { (header.version, header.schemaEdits) = (2, schemaEdits) }
    objects = RecordedObject.record(staged, schema: schema, keyValues: keyValues).continued()
  }

  /// The document as the bytes of a file. O(length).
  func encoded() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var data = try encoder.encode(header)
    for object in objects {
      data.append(UInt8(ascii: "\n"))
      data.append(try encoder.encode(object))
    }
    data.append(UInt8(ascii: "\n"))
    return data
  }

  /// Reads the bytes of a file.
  ///
  /// - Throws: `UnreadableRecovery` with a sentence.
  init(_ data: Data) throws {
    let lines = data.split(separator: UInt8(ascii: "\n"))
    let decoder = JSONDecoder()
    guard let first = lines.first, let header = try? decoder.decode(Header.self, from: Data(first)),
      header.format == "datastore-recovery"
    else { throw UnreadableRecovery(reason: "it is not a recovery file") }
    guard header.version <= Self.version else {
      throw UnreadableRecovery(
        reason: "its format version is \(header.version); a newer program wrote it")
    }
    self.header = header
    objects = try lines.dropFirst().enumerated().map { index, line in
      do {
        return try decoder.decode(RecordedObject.self, from: Data(line))
      } catch {
        throw UnreadableRecovery(reason: "line \(index + 2) is damaged")
      }
    }
  }

  /// The numbers of objects of each kind, and of changes of the schema, in words.
  var description: String {
    func count(_ kind: StagedObject.Kind) -> Int { objects.count { $0.kind == kind.rawValue } }
    let rows = StagingMarks.describe(
      changed: count(.updated), inserted: count(.inserted), deleted: count(.deleted))
    guard let edits = header.schemaEdits, !edits.isEmpty else { return rows }
    let title = SchemaEditing.title(edits.count)
    return objects.isEmpty ? title : "\(rows), and \(title)"
  }
}

extension [RecordedObject] {
  /// With later changes of values joined to earlier ones of the same object: a copy of files may have saved
  /// changes that its files lack, and further ones.
  fileprivate func continued() -> [RecordedObject] {
    var joined: [RecordedObject] = []
    var places: [String: [RecordedValue: Int]] = [:]
    for object in self {
      if let place = places[object.entity]?[object.object], object.members == nil,
        object.kind == StagedObject.Kind.updated.rawValue
      {
        joined[place].changes.merge(object.changes) {
          RecordedObject.Change(old: $0.old, new: $1.new)
        }
      } else {
        places[object.entity, default: [:]][object.object] = joined.count
        joined.append(object)
      }
    }
    return joined
  }
}

/// A recovery file that cannot be read.
struct UnreadableRecovery: Error, Hashable, Sendable {
  let reason: String
}
