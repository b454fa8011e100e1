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
    /// The staged schema edits; nil for none.
    var schemaEdits: [SchemaEdit]?
  }

  struct Object: Codable, Hashable, Sendable {
    struct Change: Codable, Hashable, Sendable {
      var old: RecoveredValue
      var new: RecoveredValue
    }

    struct Members: Codable, Hashable, Sendable {
      var added: [RecoveredValue]
      var removed: [RecoveredValue]
      var order: [RecoveredValue]?
    }

    var entity: String
    /// The object: its key, or `new` with the number that others refer to it by.
    var object: RecoveredValue
    /// `inserted`, `updated` or `deleted`.
    var kind: String
    /// The changes by property.
    var changes: [String: Change]
    var members: [String: Members]?
    /// The stored values by property, for rows that are gone when the changes are restored.
    var row: [String: RecoveredValue]?
  }

  var header: Header
  var objects: [Object]

  /// - Parameter keyValues: returns the key values of a row whose key is not an integer in the file.
  init(
    _ staged: [StagedObject], _ schemaEdits: [SchemaEdit] = [], schema: Schema, store: String,
    keyValues: @escaping (_ entity: EntityIndex, _ key: RowKey) -> [Value]?
  ) {
    header = Header(store: store)
    if !schemaEdits.isEmpty { (header.version, header.schemaEdits) = (2, schemaEdits) }
    // By the root entity of the family, as a reference may be to an ancestor of the object's entity.
    let inserted = Set(
      staged.filter { $0.kind == .inserted }
        .map { ObjectReference(entity: schema.entities[$0.entity].root, key: $0.key) })
    func reference(_ entity: EntityIndex, _ key: RowKey) -> RecoveredValue {
      let object = ObjectReference(entity: schema.entities[entity].root, key: key)
      if inserted.contains(object) { return .new(key) }
      return keyValues(entity, key).map { .key($0) } ?? .value(.key(key))
    }
    objects = staged.map { object in
      let entity = schema.entities[object.entity]
      func recovered(_ slot: Slot, _ value: Value) -> RecoveredValue {
        guard let link = entity.links[slot], let key = value.key else {
          return .value(value)
        }
        return reference(link.destination, key)
      }
      var changes: [String: Object.Change] = [:]
      for change in object.changes {
        changes[entity.properties[change.slot].name] = Object.Change(
          old: recovered(change.slot, change.old), new: recovered(change.slot, change.new))
      }
      var members: [String: Object.Members] = [:]
      for change in object.members {
        guard let link = entity.links[change.slot] else { continue }
        func references(_ keys: [RowKey]) -> [RecoveredValue] {
          keys.map { reference(link.destination, $0) }
        }
        members[entity.properties[change.slot].name] = Object.Members(
          added: references(change.added), removed: references(change.removed),
          order: change.order.map { references($0) })
      }
      var row: [String: RecoveredValue] = [:]
      for (slot, value) in object.row.placed where !value.isNull {
        row[entity.properties[slot].name] = recovered(slot, value)
      }
      return Object(
        entity: entity.name, object: reference(object.entity, object.key),
        kind: object.kind.rawValue, changes: changes, members: members.isEmpty ? nil : members,
        row: row.isEmpty ? nil : row)
    }
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
        return try decoder.decode(Object.self, from: Data(line))
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

/// A recovery file that cannot be read.
struct UnreadableRecovery: Error, Hashable, Sendable {
  let reason: String
}
