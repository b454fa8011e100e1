import DatastoreTestSupport
import Testing

@testable import DatastoreCore

/// The map of objects against a dictionary.
@Suite("Objects by key")
struct ObjectMapTests {
  /// The expected content of the map. Only some of the objects are held.
  private struct Model {
    var known: [RowKey: WeakObject] = [:]
    var held: [RowKey: ManagedObject] = [:]
    /// The keys of `known`, in an order that is the same in every process.
    var keys: [RowKey] = []
  }

  private struct WeakObject {
    weak var object: ManagedObject?
  }

  /// Keys that lie near each other, far from each other, below zero, and at both ends of all numbers.
  private static func key(_ random: inout SeededRandom) -> RowKey {
    RowKey(number(&random))
  }

  private static func number(_ random: inout SeededRandom) -> Int64 {
    switch random.below(8) {
    case 0...3: Int64(random.below(64))
    case 4: Int64(random.below(64)) - 32
    case 5: Int64(random.below(100_000)) * 8
    case 6: random.below(2) == 0 ? .min + Int64(random.below(9)) : .max - Int64(random.below(9))
    default: Int64.random(in: .min ... .max, using: &random)
    }
  }

  /// A case is one operation, after which the map answers as the dictionary does.
  @Test(arguments: RandomCases.rounds(of: 400))
  func isADictionary(round: Int) throws {
    let seed = RandomCases.seed(round)
    var random = SeededRandom(seed: seed)
    let world = GraphWorld(MemoryStore(CompanySchema.schema))
    defer { world.graph.releaseAllObjects() }
    let home = world.graph.home(of: 0)
    let map = ObjectMap()
    var model = Model()
    for step in 0..<400 {
      let what = Self.operate(map, home, &model, &random)
      let note = Comment(rawValue: "seed \(seed), step \(step): \(what)")
      try #require(map.count == model.known.count, note)
      for _ in 0..<4 {
        let key = model.keys.randomElement(using: &random) ?? Self.key(&random)
        for key in [key, key + 1, Self.key(&random)] {
          // Objects must not are in an expectation: one that fails looks into all they lead to.
          let isSame = map[key] === model.known[key]?.object
          try #require(isSame, note)
          try #require((map[key] != nil) == (model.known[key] != nil), note)
        }
      }
      guard step % 20 == 0 else { continue }
      var visited: [RowKey] = []
      map.visit { visited.append($0.key) }
      try #require(visited.sorted() == model.known.keys.sorted(), note)
    }
    map.removeAll()
    #expect(model.known.allSatisfy { ($0.value.object == nil) == (model.held[$0.key] == nil) })
  }

  private static func operate(
    _ map: ObjectMap, _ home: ObjectHome, _ model: inout Model, _ random: inout SeededRandom
  ) -> String {
    switch random.below(40) {
    case 0:
      let odd = random.below(2) == 0
      map.sweep { object in !odd || object.key.rawValue & 1 == 1 }
      // Objects without another reference are dropped, and released at once.
      model.known = model.known.filter { key, reference in
        let mayGo = model.held[key] == nil && (!odd || key.rawValue & 1 == 1)
        if mayGo, reference.object != nil { Issue.record("\(key) was swept and is still there") }
        return !mayGo
      }
      model.keys.removeAll { model.known[$0] == nil }
      return "sweep"
    case 1 where random.below(4) == 0:
      map.removeAll()
      (model.known, model.keys) = ([:], [])
      return "remove all"
    case 1...6:
      if let key = model.keys.randomElement(using: &random) { model.held[key] = nil }
      return "let go"
    case 7...14:
      let key = model.keys.randomElement(using: &random) ?? 0
      map.remove(key: key)
      model.known[key] = nil
      model.held[key] = nil
      model.keys.removeAll { $0 == key }
      return "remove \(key)"
    default:
      let key = key(&random)
      guard model.known[key] == nil else { return "nothing" }
      let object = ManagedObject(
        managedObject: ManagedObjectLogic(home: home, key: key, page: nil, row: 0, state: .fault))
      map.insert(object)
      model.known[key] = WeakObject(object: object)
      model.keys.append(key)
      model.held[key] = random.below(2) == 0 ? object : nil
      return "insert \(key)"
    }
  }
}
