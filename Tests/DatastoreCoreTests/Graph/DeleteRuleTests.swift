import DatastoreTestSupport
import Testing

@testable import DatastoreCore

/// Delete rules, compared with their definitions.
@Suite("Delete rules over a store in memory")
struct DeleteRuleTests {
  /// A case is one operation that makes a graph, of which random objects are then deleted at once. The rules
  /// decide which objects remain, and a company that still has contracts stays, with everything else.
  @Test(arguments: RandomCases.rounds(of: 100))
  func deletingLeavesWhatTheRulesLeave(round: Int) throws {
    let seed = RandomCases.seed(round)
    var random = SeededRandom(seed: seed)
    for number in 0..<4 {
      let note = Comment(rawValue: "seed \(seed), graph \(number)")
      let world = GraphWorld()
      defer { world.graph.releaseAllObjects() }
      var model = GraphModel()
      for _ in 0..<25 { try model.operate(world, &random) }
      _ = try world.save()
      // Half of the time from a graph that has read nothing yet.
      let reader = random.below(2) == 0 ? world : GraphWorld(world.store)
      defer { reader.graph.releaseAllObjects() }
      let before = model
      var leaving: Set<RowKey> = []
      for contract in try reader.all("Contract") where random.below(2) == 0 {
        reader.graph.delete(contract)
        model.contracts[contract.key] = nil
      }
      for company in try reader.all("Company") where random.below(3) == 0 {
        reader.graph.delete(company)
        model.delete(company: company.key)
        leaving.insert(company.key)
      }
      for employee in try reader.all("Employee") where random.below(5) == 0 {
        reader.graph.delete(employee)
        model.delete(employee: employee.key)
      }
      try #require(reader.graph.brokenInvariants() == [], note)
      let denied = Set(model.contracts.values.compactMap(\.self)).intersection(leaving)
      let fresh = GraphWorld(world.store)
      defer { fresh.graph.releaseAllObjects() }
      if denied.isEmpty {
        _ = try reader.save()
        #expect(try GraphModel(fresh) == model, note)
      } else {
        let error = try #require(throws: ValidationError.self, note) { try reader.save() }
        let refused = error.faults.map { fault in
          ValidationError.Fault(
            entity: "Company", key: fault.key, property: "contracts",
            reason: .deletionDenied(
              related: model.contracts.values.count { $0 == fault.key }))
        }
        #expect(error.faults == refused, note)
        #expect(Set(error.faults.map(\.key)) == denied, note)
        #expect(try GraphModel(fresh) == before, note)
      }
    }
  }
}
