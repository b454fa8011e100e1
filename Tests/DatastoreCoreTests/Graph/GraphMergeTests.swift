import DatastoreTestSupport
import Testing

@testable import DatastoreCore

/// Two graphs that stage, save and merge over one store in memory.
@Suite("Merging over a store in memory")
struct GraphMergeTests {
  /// A case is one operation in one of the graphs, after which both are consistent; a save that is in
  /// conflict writes nothing. At the end, after reverting everything, both have the stored objects.
  @Test(arguments: RandomCases.rounds(of: 40))
  func bothGraphsStayTrue(round: Int) throws {
    let seed = RandomCases.seed(round)
    var random = SeededRandom(seed: seed)
    let store = MemoryStore(GraphWorld.schema)
    let worlds = [GraphWorld(store), GraphWorld(store)]
    defer { for world in worlds { world.graph.releaseAllObjects() } }
    for _ in 0..<4 {
      let employee = try worlds[0].make("Employee")
      employee.set("company", try worlds[0].make("Company"))
      try worlds[0].make("Task").set("owner", employee)
    }
    try save(worlds[0], and: worlds[1])
    worlds[0].graph.journal = UndoJournal()
    for step in 0..<40 {
      let index = random.below(2)
      let (world, other) = (worlds[index], worlds[1 - index])
      let what = try operate(world, and: other, &random)
      let note = Comment(rawValue: "seed \(seed), step \(step): \(what) in \(index)")
      for world in worlds {
        try #require(world.graph.brokenInvariants() == [], note)
        try #require(try Self.disagreements(world) == [], note)
      }
    }
    let fresh = GraphWorld(store)
    defer { fresh.graph.releaseAllObjects() }
    let stored = try fresh.contents()
    for world in worlds {
      world.graph.revert()
      #expect(try world.contents() == stored, "seed \(seed)")
    }
  }

  private func operate(
    _ world: GraphWorld, and other: GraphWorld, _ random: inout SeededRandom
  ) throws -> String {
    guard let employee = try world.all("Employee").randomElement(using: &random),
      let company = try world.all("Company").randomElement(using: &random),
      let task = try world.all("Task").randomElement(using: &random)
    else { return "nothing" }
    switch random.below(10) {
    case 0...2:
      let isNone = random.below(4) == 0
      world.undoGroup { employee.set("company", isNone ? nil : company) }
      return "\(employee.key) to \(isNone ? "no company" : "\(company.key)")"
    case 3, 4:
      world.undoGroup { task.set("owner", employee) }
      return "task \(task.key) to \(employee.key)"
    case 5:
      world.undoGroup { employee.setValue(.integer(Int64(random.below(9))), at: 1) }
      return "age of \(employee.key)"
    case 6, 7:
      try save(world, and: other)
      return "save"
    case 8:
      if random.below(2) == 0 { world.graph.undo() } else { world.graph.redo() }
      return "undo or redo"
    default:
      world.graph.revert(employee)
      return "revert \(employee.key)"
    }
  }

  /// Saves one graph and merges it into the other; after a conflict, reverts everything.
  private func save(_ world: GraphWorld, and other: GraphWorld) throws {
    let before = try Self.stored(world.store)
    do {
      other.graph.merge(try world.save())
    } catch is ConflictError {
      #expect(try Self.stored(world.store) == before, "a conflict has written something")
      world.graph.revert()
    }
  }

  /// The objects that a fresh graph reads.
  private static func stored(_ store: MemoryStore) throws -> [String] {
    let fresh = GraphWorld(store)
    defer { fresh.graph.releaseAllObjects() }
    return try fresh.contents()
  }

  /// The relationships whose two sides disagree.
  private static func disagreements(_ world: GraphWorld) throws -> [String] {
    var found: [String] = []
    for entity in world.graph.schema.entities {
      for object in try world.all(entity.name) {
        for slot in entity.relationshipSlots {
          guard let link = entity.links[slot], let inverse = link.inverseSlot else { continue }
          for other in object.existing(at: slot) {
            let leadsBack = other.existing(at: inverse).contains { $0 === object }
            if !leadsBack, !other.isKnownDeleted {
              found.append("\(entity.name) \(object.key).\(link.description.name) → \(other.key)")
            }
          }
        }
      }
    }
    return found
  }
}
