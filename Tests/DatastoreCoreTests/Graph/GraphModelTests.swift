import DatastoreTestSupport
import Testing

@testable import DatastoreCore

// Promise: members come to an ordered list that was never read → they are saved in the order in which they
// came.
/// The graph, compared with a plain model of its operations, over a store in memory.
@Suite("The graph and what it must show")
struct GraphModelTests {
  /// A case is one operation, after which the graph is consistent and has the expected content.
  @Test(arguments: RandomCases.rounds(of: 40))
  func bothSidesOfRelationshipsStayTrue(round: Int) throws {
    let seed = RandomCases.seed(round)
    var random = SeededRandom(seed: seed)
    let world = GraphWorld()
    defer { world.graph.releaseAllObjects() }
    var expected = GraphModel()
    var saved = GraphModel()
    for step in 0..<40 {
      switch random.below(12) {
      case 0:
        _ = try world.save()
        saved = expected
      case 1 where random.below(3) == 0:
        world.graph.revert()
        expected = saved
      default: try expected.operate(world, &random)
      }
      let note = Comment(rawValue: "seed \(seed), step \(step)")
      try #require(world.graph.brokenInvariants() == [], note)
      try #require(try GraphModel(world) == expected, note)
    }
    _ = try world.save()
    #expect(!world.graph.hasChanges, "seed \(seed)")
    // A fresh graph that finds only the stored objects.
    let other = GraphWorld(world.store)
    defer { other.graph.releaseAllObjects() }
    #expect(try GraphModel(other) == expected, "seed \(seed): a new graph reads something else")
    #expect(try other.contents() == world.contents(), "seed \(seed)")
  }

  /// Undoing group by group gives every state again, backwards, and redoing forwards. A case is one
  /// group of random staging, with the states before and after it.
  @Test(arguments: RandomCases.rounds(of: 20))
  func undoingStepByStepGivesEveryStateAgain(round: Int) throws {
    let seed = RandomCases.seed(round)
    var random = SeededRandom(seed: seed)
    let world = GraphWorld()
    defer { world.graph.releaseAllObjects() }
    var model = GraphModel()
    for _ in 0..<20 { try model.operate(world, &random) }
    _ = try world.save()
    world.graph.journal = UndoJournal()
    var states = [try world.contents()]
    /// Adds the current state, unless it equals the last one: a step may have no effect.
    func check(_ what: String, _ states: inout [[String]]) throws {
      let note = Comment(rawValue: "seed \(seed), \(what)")
      try #require(world.graph.brokenInvariants() == [], note)
      let state = try world.contents()
      if state != states.last { states.append(state) }
    }
    for step in 0..<20 {
      try world.undoGroup { try model.operate(world, &random) }
      try check("step \(step)", &states)
    }
    var undone = [states[states.count - 1]]
    while world.graph.journal?.canUndo ?? false {
      world.graph.undo()
      try check("undone to \(states.count - undone.count)", &undone)
    }
    try #require(undone == states.reversed(), "seed \(seed)")
    try #require(!world.graph.hasChanges, "seed \(seed)")
    var redone = [states[0]]
    while world.graph.journal?.canRedo ?? false {
      world.graph.redo()
      try check("redone to \(redone.count)", &redone)
    }
    try #require(redone == states, "seed \(seed)")
    #expect(try GraphModel(world) == model, "seed \(seed)")
  }

  /// Saves in between are undone in the opposite order: the store returns to its former content. A case is
  /// one group.
  @Test(arguments: RandomCases.rounds(of: 10))
  func undoingWhatWasSavedGivesTheStoreBack(round: Int) throws {
    let seed = RandomCases.seed(round)
    var random = SeededRandom(seed: seed)
    let world = GraphWorld()
    defer { world.graph.releaseAllObjects() }
    var model = GraphModel()
    for _ in 0..<20 { try model.operate(world, &random) }
    _ = try world.save()
    let before = try world.contents()
    world.graph.journal = UndoJournal()
    for _ in 0..<10 {
      try world.undoGroup { try model.operate(world, &random) }
      if random.below(3) == 0 { _ = try world.save() }
    }
    while world.graph.journal?.canUndo ?? false { world.graph.undo() }
    try #require(world.graph.brokenInvariants() == [], "seed \(seed)")
    _ = try world.save()
    let other = GraphWorld(world.store)
    defer { other.graph.releaseAllObjects() }
    #expect(try other.contents() == before, "seed \(seed)")
  }
}
