import DatastoreCore
import DatastoreTestSupport
import Testing

// Promise: a comparison means something else in PostgreSQL (order of NULL, text beside numbers, integers
// beside reals above 2^53, folding) → it answers what the memory says; what cannot be said is narrowed down
// by the server and decided in memory.
// Also: `ResidualTests`

// Promise: a function means something else in SQL than in memory → one Swift function computes both; random
// operands with functions.
// Also: (its draw has functions now), `PredicateFunctionTests.values`
/// One predicate tree has two faces, SQL and evaluation in memory; here both meet the same rows, in files
/// and servers. What a server cannot say with the meaning of the memory it narrows down, and the memory
/// decides the rest.
@Suite("Memory and SQL agree on predicates and sort orders")
struct PredicateAgreementTests {
  /// A case is a tree with a sort order on one world; so many are drawn on each world of a kind.
  private static let trees = 100

  @Test(
    "Random trees on random rows", arguments: PredicateAgreementWorld.allCases,
    RandomCases.rounds(of: trees))
  func randomTrees(world: PredicateAgreementWorld, round: Int) throws {
    let seed = RandomCases.seed(round)
    var random = SeededRandom(seed: seed)
    let (store, folder) = try world.make(&random)
    defer {
      try? store.close()
      withExtendedLifetime(folder) {}
    }
    let rows = try AgreementRows(store) { Issue.record($0) }
    var draw = PredicateAgreementDraw(
      schema: store.schema, samples: rows.values, keys: rows.keys, random: random)
    for tree in 0..<Self.trees {
      let entity = store.schema.entities[tree % store.schema.entities.count]
      let predicate = draw.predicate(entity)
      try predicate.validate(for: entity, in: store.schema)
      let order = draw.order(entity)
      let comment = Comment(
        rawValue: "\(world.rawValue), seed \(seed), tree \(tree): \(entity.name)")
      do {
        if let fault = try rows.disagreement(entity, predicate, order) {
          Issue.record("\(comment): \(fault)")
          return
        }
      } catch {
        Issue.record("\(comment): \(predicate) sorted by \(order): \(error)")
        return
      }
      var request = FetchRequest(
        entity: entity.name, predicate: predicate, sortDescriptors: order)
      let all = try store.fetchKeys(request)
      #expect(try store.count(request) == all.count, comment)
      (request.offset, request.limit) = draw.window()
      let window = all.dropFirst(request.offset)
      let expected = request.limit > 0 ? window.prefix(request.limit) : window
      let found = try store.fetchKeys(request)
      #expect(entity.isReadOnly ? found.count == expected.count : found == Array(expected), comment)
      #expect(try store.count(request) == expected.count, comment)
    }
  }
}
