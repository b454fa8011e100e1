#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreTestSupport
import Testing

/// Keys on their way through the log of changes, from one version of a model to another.
@Suite("Packed keys of changes")
struct ChangeCoderTests {
  /// A model with some of the names that there may be, in any order.
  private func schema(_ random: inout SeededRandom) throws -> Schema {
    let entities = ["Company", "Employee", "Task", "Tag", "Ünïcödé", "office"].shuffled(
      using: &random)
    return try Schema(
      entities.prefix(random.below(entities.count) + 1).map { name in
        let properties = (0..<80).shuffled(using: &random).prefix(random.below(80) + 1)
        return EntityDescription(
          name: name, properties: properties.map { CompanySchema.attribute("p\($0)", .string) })
      })
  }

  private func keys(_ random: inout SeededRandom) -> Set<RowKey> {
    let base = Int64.random(in: .min ... .max, using: &random)
    return Set(
      (0..<random.below(40)).map { place in
        switch random.below(4) {
        case 0: RowKey(base &+ Int64(place))
        case 1: RowKey([.min, .max, 0, -1, 1][random.below(5)])
        default: RowKey(Int64(random.below(1_000_000)))
        }
      })
  }

  private func changes(_ schema: Schema, _ random: inout SeededRandom) -> MergedKeys {
    var changes = MergedKeys()
    for entity in schema.entities where random.below(3) > 0 {
      let (new, gone) = (keys(&random), keys(&random))
      if !new.isEmpty { changes.inserted[entity.index] = new.shuffled(using: &random) }
      if !gone.isEmpty { changes.deleted[entity.index] = gone.shuffled(using: &random) }
      for key in keys(&random) {
        let slots = entity.slots.filter { _ in random.below(3) == 0 }
        changes.updated[entity.index, default: [:]][key] = SlotSet(slots)
      }
    }
    return changes
  }

  private func unpacked(_ bytes: [UInt8], _ schema: Schema) -> MergedKeys {
    var keys = MergedKeys()
    bytes.withUnsafeBytes { ChangeCoder(schema).add($0, to: &keys) }
    return keys
  }

  /// The expected changes for a reader with another model.
  private func translated(_ keys: MergedKeys, from: Schema, to: Schema) -> MergedKeys {
    var expected = MergedKeys()
    for entity in from.entities {
      let index = entity.index
      let (new, gone) = (keys.inserted[index], keys.deleted[index])
      let updated = keys.updated[index]
      if new == nil, gone == nil, updated == nil { continue }
      guard let other = to.entity(named: entity.name) else { return .everything }
      expected.inserted[other.index] = new
      expected.deleted[other.index] = gone
      expected.updated[other.index] = updated?.mapValues { slots in
        let names = slots.map { entity.properties[$0].name }
        let known = names.compactMap { other.slot(named: $0) }
        return SlotSet(known.count == names.count ? known : Array(other.slots))
      }
    }
    return expected
  }

  private func isSame(_ left: MergedKeys, _ right: MergedKeys) -> Bool {
    if left.isEverything || right.isEverything { return left.isEverything == right.isEverything }
    return left.inserted.mapValues(Set.init) == right.inserted.mapValues(Set.init)
      && left.deleted.mapValues(Set.init) == right.deleted.mapValues(Set.init)
      && left.updated == right.updated
  }

  @Test("Keys come back by the names that both models have; of the rest, anything may have changed")
  func models() throws {
    for round in RandomCases.rounds(of: 4) {
      var random = SeededRandom(seed: RandomCases.seed(round))
      let (writer, reader) = try (schema(&random), schema(&random))
      let keys = changes(writer, &random)
      let bytes = ChangeCoder(writer).packed(keys)
      #expect(isSame(unpacked(bytes, writer), keys), "seed \(random.seed)")
      #expect(
        isSame(unpacked(bytes, reader), translated(keys, from: writer, to: reader)),
        "seed \(random.seed)")
    }
  }

  @Test("Bytes that are cut off or changed are read as anything, or as some keys, and never trap")
  func damage() throws {
    for round in RandomCases.rounds(of: 40) {
      var random = SeededRandom(seed: RandomCases.seed(round))
      let schema = try schema(&random)
      let bytes = ChangeCoder(schema).packed(changes(schema, &random))
      for _ in 0..<20 {
        let count = random.below(bytes.count)
        #expect(unpacked(Array(bytes.prefix(count)), schema).isEverything, "seed \(random.seed)")
      }
      #expect(unpacked(bytes + [0], schema).isEverything)
      for _ in 0..<20 {
        var damaged = bytes
        damaged[random.below(bytes.count)] = UInt8(random.below(256))
        _ = unpacked(damaged, schema)
      }
    }
  }

  @Test(
    "What cannot be told is told as anything: too many keys, keys of this process only, other keys")
  func limits() throws {
    let schema = CompanySchema.schema
    let tag = try #require(schema.entity(named: "Tag")).index
    var keys = MergedKeys()
    keys.inserted[tag] = (0..<Int64(ChangeCoder.limit)).map { RowKey($0) }
    let bytes = ChangeCoder(schema).packed(keys)
    #expect(!unpacked(bytes, schema).isEverything)
    // Neighbouring keys need a byte each.
    #expect(bytes.count < ChangeCoder.limit + 20)
    keys.deleted[tag] = [-1]
    #expect(unpacked(ChangeCoder(schema).packed(keys), schema).isEverything)
    keys.inserted = [tag: [1]]
    keys.deleted = [:]
    #expect(unpacked(ChangeCoder(schema, opaque: [tag]).packed(keys), schema).isEverything)
    #expect(unpacked(ChangeCoder(schema).packed(keys), schema).inserted == [tag: [1]])
    keys.rekeyed[tag] = [1: 2]
    #expect(unpacked(ChangeCoder(schema).packed(keys), schema).isEverything)
    #expect(unpacked(ChangeCoder(schema).anyRow(of: [tag]), schema).isEverything)
    #expect(unpacked(ChangeCoder(schema).packed(.everything), schema).isEverything)
  }
}
#endif
