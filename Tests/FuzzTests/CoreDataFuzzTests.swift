import DatastoreCore
import DatastoreSQL
import DatastoreTestSupport
import Foundation
import Testing

@testable import DatastoreSQLite

// Promise: the model in a Core Data store is damaged → its entities are guessed from its tables, and a
// sentence says so.
/// Archives of models as broken disks and malicious people write them: never a trap, never without an end.
@Suite(.serialized) struct CoreDataFuzzTests {
  /// Archives: `DATASTORE_FUZZ_CASES`, else 300.
  private static let cases =
    ProcessInfo.processInfo.environment["DATASTORE_FUZZ_CASES"].flatMap { Int($0) } ?? 300

  private static let seeds: [[UInt8]] = {
    var sample = CoreDataSample.office()
    let plain = sample.archivedModel()
    sample.writing = .withProxies
    return [plain, sample.archivedModel()]
  }()

  /// Random bytes, cut archives, and archives with some other bytes; lengths and places of the trailer more
  /// often than others, since everything hangs on them.
  private static func input(_ random: inout SeededRandom) -> [UInt8] {
    if random.below(20) == 0 {
      return Array("bplist00".utf8)
        + (0..<random.below(200)).map { _ in UInt8(random.below(256)) }
    }
    var bytes = seeds[random.below(seeds.count)]
    for _ in 0..<1 + random.below(4) where !bytes.isEmpty {
      let place =
        random.below(6) == 0
        ? max(0, bytes.count - 1 - random.below(32)) : random.below(bytes.count)
      switch random.below(40) {
      case 0: bytes.removeSubrange(place...)
      case 1: bytes.remove(at: place)
      case 2: bytes.insert(UInt8(random.below(256)), at: place)
      case 3...12:
        bytes[place] = [0, 0x0F, 0x5F, 0x80, 0xA0, 0xAF, 0xD0, 0xDF, 0xFF][random.below(9)]
      case 13...26:
        // One object becomes another one.
        let other = random.below(bytes.count)
        let count = min(4, bytes.count - max(place, other))
        for step in 0..<count { bytes[place + step] = bytes[other + step] }
      default: bytes[place] = UInt8(random.below(256))
      }
    }
    return bytes
  }

  @Test("Damaged archives are models, or are said to be none")
  func archives() throws {
    var random = SeededRandom(seed: RandomCases.seed())
    let black = try BlackBox("Core Data archive")
    var read = 0
    for number in 0..<Self.cases {
      let bytes = Self.input(&random)
      black.record(bytes)
      // The same bytes as a value that a transformer made.
      _ = ArchiveOutline(Data(bytes))
      do {
        let model = try CoreDataModel(archive: bytes)
        read += 1
        // All that follows from it, too.
        var numbers: [String: Int64] = [:]
        for (place, entity) in model.entities.enumerated() { numbers[entity.name] = Int64(place) }
        let placed = CoreDataTables(model, numbers: numbers, in: Self.tables(of: model))
        _ = try? CoreDataMapping(placed, externalFolder: "/").mapping()
        _ = try? model.schema()
      } catch let fault as CoreDataModelFault {
        #expect(!fault.reason.isEmpty)
      } catch {
        Issue.record("archive \(number): an error of another kind: \(error)")
        return black.keep()
      }
    }
    black.close()
    print("fuzz: \(Self.cases) archives, seed \(random.seed): \(read) read")
    // Otherwise the damage is so great that only the first checks are tested.
    #expect(read > 0)
  }

  @Test("Damaged source models are models, or are said to be none")
  func sources() throws {
    let seed = Array(SourceModel.office.utf8)
    var random = SeededRandom(seed: RandomCases.seed(2))
    let black = try BlackBox("Core Data source model")
    var read = 0
    for _ in 0..<Self.cases {
      var bytes = seed
      for _ in 0..<1 + random.below(3) {
        let place = random.below(bytes.count)
        switch random.below(6) {
        case 0: bytes.removeSubrange(place..<min(bytes.count, place + random.below(40)))
        case 1: bytes[place] = Array("<>\"&;/=!?-[] ".utf8)[random.below(13)]
        case 2: bytes.insert(UInt8(random.below(256)), at: place)
        case 3:
          let other = random.below(bytes.count)
          bytes.insert(
            contentsOf: bytes[min(place, other)..<min(max(place, other), min(place, other) + 80)],
            at: place)
        default: bytes[place] = UInt8(random.below(256))
        }
        if bytes.isEmpty { bytes = seed }
      }
      black.record(bytes)
      do {
        _ = try? CoreDataModel(source: bytes).schema()
        _ = try CoreDataModel(source: bytes)
        read += 1
      } catch let fault as CoreDataModelFault {
        #expect(!fault.reason.isEmpty)
      }
    }
    black.close()
    print("fuzz: \(Self.cases) source models, seed \(random.seed): \(read) read")
    #expect(read > 0)
  }

  @Test("Stores with damaged models are opened")
  func stores() throws {
    let folder = try TemporaryDirectory()
    let url = folder.file("case.sqlite")
    try CoreDataSample.office().write(to: url)
    var random = SeededRandom(seed: RandomCases.seed(1))
    for _ in 0..<Self.cases / 20 {
      var bytes = Self.input(&random)
      if random.below(3) > 0 { bytes = bytes.deflated }
      let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      try SQLiteFile.make(at: url, "UPDATE Z_MODELCACHE SET Z_CONTENT = x'\(digits)'")
      let store = try SQLiteStore(existing: url)
      for entity in store.schema.entities {
        _ = try store.count(DatastoreCore.FetchRequest(entity: entity.name))
      }
      if store.schema.entity(named: "Person") == nil { #expect(store.modelNotes.count == 1) }
      try store.close()
    }
  }

  /// Tables as they would be, so that most properties find a place.
  private static func tables(of model: CoreDataModel) -> [FileTable] {
    let columns = model.entities.flatMap { entity in
      (entity.attributes.map(\.name) + entity.relationships.map(\.name)).map {
        "Z\($0.uppercased())"
      }
    }
    return model.entities.filter { $0.parent == nil }.map { entity in
      var table = FileTable(
        name: "Z\(entity.name.uppercased())", kind: .table, isStrict: false,
        isWithoutRowid: false, declaration: nil)
      table.columns =
        [column("Z_PK", key: 1), column("Z_ENT")] + Set(columns).sorted().map { column($0) }
      return table
    }
  }

  private static func column(_ name: String, key: Int = 0) -> FileTable.Column {
    FileTable.Column(
      name: name, declaredType: "INTEGER", isNotNull: false, defaultText: nil, keyPosition: key,
      isGenerated: false)
  }
}
