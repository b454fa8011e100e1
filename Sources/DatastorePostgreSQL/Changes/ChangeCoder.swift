#if PostgreSQL
package import DatastoreCore

/// Packs the rows that a transaction has changed, for programs that read them with this version of the model
/// or another one.
///
/// Entities and properties are identified by the fingerprints of their names, since their numbers differ
/// between versions. A reader that does not know a name, or cannot read the text, takes it that any row may
/// have changed.
///
/// The form: a byte that is 1, or 0 for "any row of any entity"; the number of entities; for each its
/// fingerprint and a byte that is 0 for "any of its rows", or 1 and then the keys of new rows, the keys of
/// deleted rows, and the number of sets of properties that rows have changed in, each with its size,
/// fingerprints and keys. Keys are sorted; their number comes first, then the first key, then the distance of
/// each key to the one before. Numbers take seven bits a byte, so that adjacent keys take one byte.
package struct ChangeCoder: Sendable {
  private let schema: Schema
  /// Entities whose keys mean nothing to other programs.
  private let opaque: Set<EntityIndex>
  private let entities: [UInt64: EntityIndex]
  private let slots: ByEntity<[UInt64: Slot]>

  /// The most keys of one entity that are listed; if there are more, any row may have changed.
  package static let limit = 100_000

  /// - Parameter opaque: entities whose keys are numbers that only this process has assigned.
  package init(_ schema: Schema, opaque: Set<EntityIndex> = []) {
    self.schema = schema
    self.opaque = opaque
    entities = Self.byFingerprint(schema.entities.map { ($0.name, $0.index) })
    slots = ByEntity(
      schema.entities.map { entity in
        Self.byFingerprint(entity.slots.map { (entity.properties[$0].name, $0) })
      })
  }

  /// Two names with one fingerprint cannot be told apart, and count as unknown.
  private static func byFingerprint<Element>(_ named: [(String, Element)]) -> [UInt64: Element] {
    let found = Dictionary(grouping: named) { Fingerprint($0.0).value }
    return found.compactMapValues { $0.count == 1 ? $0[0].1 : nil }
  }

  /// O(n log n) for n keys.
  package func packed(_ keys: MergedKeys) -> [UInt8] {
    if keys.isEverything || !keys.rekeyed.isEmpty { return [0] }
    var writer = Writer()
    writer.bytes.append(1)
    let changed = Set(keys.inserted.keys).union(keys.updated.keys).union(keys.deleted.keys)
    writer.put(UInt64(changed.count))
    for entity in changed.sorted() {
      let inserted = keys.inserted[entity] ?? []
      let updated = keys.updated[entity] ?? [:]
      let deleted = keys.deleted[entity] ?? []
      writer.put(fingerprint: schema.entities[entity].name)
      guard inserted.count + updated.count + deleted.count <= Self.limit, !opaque.contains(entity)
      else {
        writer.bytes.append(0)
        continue
      }
      writer.bytes.append(1)
      writer.put(inserted)
      writer.put(deleted)
      let kinds = Dictionary(grouping: updated, by: \.value).mapValues { $0.map(\.key) }
      writer.put(UInt64(kinds.count))
      for (slots, keys) in kinds {
        let names = Array(slots).map { schema.entities[entity].properties[$0].name }
        writer.put(UInt64(names.count))
        for name in names { writer.put(fingerprint: name) }
        writer.put(keys)
      }
    }
    return writer.bytes
  }

  /// Says that any row of some entities may have changed.
  package func anyRow(of entities: Set<EntityIndex>) -> [UInt8] {
    var writer = Writer()
    writer.bytes.append(1)
    writer.put(UInt64(entities.count))
    for entity in entities.sorted() {
      writer.put(fingerprint: schema.entities[entity].name)
      writer.bytes.append(0)
    }
    return writer.bytes
  }

  /// Adds the contents of a packed text to the keys of others.
  ///
  /// O(n) for n keys.
  package func add(_ packed: UnsafeRawBufferPointer, to keys: inout MergedKeys) {
    var reader = Reader(packed)
    do {
      try add(&reader, to: &keys)
    } catch {
      keys.isEverything = true
    }
  }

  private func add(_ reader: inout Reader, to keys: inout MergedKeys) throws(Reader.Unknown) {
    guard try reader.byte() == 1 else { throw Reader.Unknown() }
    for _ in 0..<(try reader.count()) {
      let found = entities[try reader.fingerprint()]
      guard let entity = found, try reader.byte() == 1 else { throw Reader.Unknown() }
      let inserted = try reader.keys()
      if !inserted.isEmpty { keys.inserted[entity, default: []] += inserted }
      let deleted = try reader.keys()
      if !deleted.isEmpty { keys.deleted[entity, default: []] += deleted }
      for _ in 0..<(try reader.count()) {
        var changed = SlotSet()
        var isUnknown = false
        for _ in 0..<(try reader.count()) {
          if let slot = slots[entity][try reader.fingerprint()] {
            changed.insert(slot)
          } else {
            isUnknown = true
          }
        }
        if isUnknown { changed = SlotSet(schema.entities[entity].slots) }
        for key in try reader.keys() {
          keys.updated[entity, default: [:]][key, default: SlotSet()].formUnion(changed)
        }
      }
    }
    if !reader.isAtEnd { throw Reader.Unknown() }
  }
}

extension ChangeCoder {
  private struct Writer {
    var bytes: [UInt8] = []

    mutating func put(_ number: UInt64) {
      var rest = number
      while rest >= 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      bytes.append(UInt8(rest))
    }

    mutating func put(fingerprint name: String) {
      bytes += Fingerprint(name).value.networkBytes
    }

    mutating func put(_ keys: [RowKey]) {
      put(UInt64(keys.count))
      var last: Int64 = 0
      for key in keys.sorted() {
        // Distances are below 2⁶⁴ even between the least and the greatest key.
        put(UInt64(bitPattern: key.rawValue &- last))
        last = key.rawValue
      }
    }
  }

  private struct Reader {
    struct Unknown: Error {}

    private var rest: Slice<UnsafeRawBufferPointer>

    init(_ bytes: UnsafeRawBufferPointer) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func byte() throws(Unknown) -> UInt8 {
      guard let byte = rest.popFirst() else { throw Unknown() }
      return byte
    }

    mutating func number() throws(Unknown) -> UInt64 {
      var number: UInt64 = 0
      for shift in stride(from: 0 as UInt64, to: 64, by: 7) {
        let byte = try byte()
        number |= UInt64(byte & 0x7F) << shift
        if byte < 0x80 { return number }
      }
      throw Unknown()
    }

    /// The number of items that follow, each of which takes at least one byte.
    mutating func count() throws(Unknown) -> Int {
      let number = try number()
      guard number <= UInt64(rest.count) else { throw Unknown() }
      return Int(number)
    }

    mutating func fingerprint() throws(Unknown) -> UInt64 {
      var number: UInt64 = 0
      for _ in 0..<8 { number = number << 8 | UInt64(try byte()) }
      return number
    }

    mutating func keys() throws(Unknown) -> [RowKey] {
      var keys: [RowKey] = []
      let count = try count()
      keys.reserveCapacity(count)
      var last: Int64 = 0
      for _ in 0..<count {
        last = last &+ Int64(bitPattern: try number())
        keys.append(RowKey(last))
      }
      return keys
    }
  }
}
#endif
