import DatastoreTestSupport
import Testing

@testable import DatastoreCore

/// Fetching among many staged objects, by the index and by looking at each.
@Suite("Staged objects are found by what they hold")
struct StagedIndexTests {
  private static func condition(_ random: inout SeededRandom) -> Predicate {
    func age() -> Predicate.Operand { .value(.integer(Int64(random.below(9)))) }
    switch random.below(5) {
    case 0, 1: return .comparison(.init(.keyPath(["age"]), .equal, age()))
    case 2: return .comparison(.init(.keyPath(["age"]), .in, .list([age(), age(), age()])))
    case 3:
      return .and([
        .comparison(.init(.keyPath(["age"]), .greaterThan, .value(.integer(2)))),
        .comparison(.init(.keyPath(["age"]), .in, .list([age(), age()]))),
      ])
    default:
      return .comparison(
        .init(.keyPath(["name"]), .equal, .value(.text("\(random.below(40))"))))
    }
  }

  // Promise: objects are staged, changed and deleted while an index finds them → the same as by looking at
  // each.
  // Promise: staged objects are found by index → the same objects as by looking at each.
  /// A case is one operation among some hundred staged objects, after which conditions that use the index
  /// find the same objects as conditions that cannot use it.
  @Test(arguments: RandomCases.rounds(of: 100))
  func indexAndWalkAgree(round: Int) throws {
    let seed = RandomCases.seed(round)
    var random = SeededRandom(seed: seed)
    let store = MemoryStore(GraphWorld.schema)
    let worlds = [GraphWorld(store), GraphWorld(store)]
    defer { for world in worlds { world.graph.releaseAllObjects() } }
    for number in 0..<80 {
      let employee = try worlds[0].make("Employee")
      employee.setValue(.integer(Int64(number % 9)), at: 1)
    }
    try merge(worlds[0].save(), into: worlds[1])
    worlds[0].graph.journal = UndoJournal()
    var usedIndex = 0
    for step in 0..<100 {
      let index = random.below(4) == 0 ? 1 : 0
      let (world, other) = (worlds[index], worlds[1 - index])
      let what = try operate(world, and: other, &random)
      let note = Comment(rawValue: "seed \(seed), step \(step): \(what) in \(index)")
      for world in worlds {
        let condition = Self.condition(&random)
        var request = FetchRequest(entity: "Employee", predicate: condition)
        if random.below(3) == 0 { request.limit = 1 + random.below(5) }
        var walk = request
        walk.predicate = .or([condition])
        if world.graph.stagedIndex != nil { usedIndex += 1 }
        try #require(
          try world.graph.fetch(request).map(\.key) == world.graph.fetch(walk).map(\.key), note)
        try #require(try world.graph.count(request) == world.graph.fetch(walk).count, note)
      }
    }
    #expect(usedIndex > 20, "seed \(seed)")
  }

  private func operate(
    _ world: GraphWorld, and other: GraphWorld, _ random: inout SeededRandom
  ) throws -> String {
    let employees = try world.all("Employee")
    guard let employee = employees.randomElement(using: &random) else { return "nothing" }
    switch random.below(16) {
    case 0...7:
      // So many at once that the graph uses the index.
      try world.undoGroup {
        for _ in 0..<12 {
          let other = try #require(employees.randomElement(using: &random))
          other.setValue(.integer(Int64(random.below(9))), at: 1)
        }
      }
      return "ages"
    case 8:
      try world.undoGroup { for _ in 0..<4 { try world.make("Employee") } }
      return "new ones"
    case 9:
      world.undoGroup { world.graph.delete(employee) }
      return "delete \(employee.key)"
    case 10:
      world.graph.revert(employee)
      return "revert \(employee.key)"
    case 11:
      world.graph.revert(employee, slot: 1)
      return "revert age of \(employee.key)"
    case 12, 13:
      if random.below(3) == 0 { world.graph.redo() } else { world.graph.undo() }
      return "undo or redo"
    case 14:
      world.undoGroup { employee.setValue(.text("\(random.below(40))"), at: 0) }
      return "name of \(employee.key)"
    default:
      guard random.below(4) == 0 else { return "nothing" }
      do {
        merge(try world.save(), into: other)
      } catch is ConflictError {
        world.graph.revert()
        return "a save in conflict, and revert"
      }
      return "save"
    }
  }

  private func merge(_ saved: SavedChanges, into other: GraphWorld) { other.graph.merge(saved) }

  @Test("Only objects that hold the value are looked at, however many are staged")
  func looksAtFew() throws {
    let world = GraphWorld()
    defer { world.graph.releaseAllObjects() }
    for number in 0..<1000 {
      let employee = try world.make("Employee")
      employee.setValue(.text("E\(number)"), at: 0)
    }
    let request = FetchRequest(
      entity: "Employee",
      predicate: .comparison(.init(.keyPath(["name"]), .equal, .value(.text("E500")))))
    #expect(try world.graph.fetch(request).count == 1)
    let index = try #require(world.graph.stagedIndex)
    let entity = world.entity("Employee")
    #expect(index.objects(of: entity, at: 0, holding: [.text("E500")]).count == 1)
    // One more is found without another index.
    try world.make("Employee").setValue(.text("E500"), at: 0)
    #expect(try world.graph.fetch(request).count == 2)
    #expect(world.graph.stagedIndex === index)
  }
}
