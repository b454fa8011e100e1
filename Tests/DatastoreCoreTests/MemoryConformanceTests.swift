import DatastoreCore
import DatastoreTestSupport
import Testing

/// The third engine: it has no SQL, and declares that. The tests find each of its mistakes.
struct MemoryConformanceTests {
  @Test func aStoreOfDictionariesDoesWhatAllEnginesDo() async throws {
    let parts = try await EngineConformance.run { MemoryStore($0) }
    #expect(parts == [.rows, .predicates, .hostileNames, .lists])
  }

  @Test(arguments: MemoryStore.Flaw.allCases) func flawsAreFound(_ flaw: MemoryStore.Flaw)
    async throws
  {
    let fault = await #expect(throws: EngineConformance.Fault.self) {
      try await EngineConformance.run { MemoryStore($0, with: flaw) }
    }
    #expect(fault?.part == flaw.part, "\(flaw): \(fault?.description ?? "")")
  }
}

extension MemoryStore.Flaw {
  fileprivate var part: EngineConformance.Part {
    switch self {
    case .overwritesConflicts, .forgetsOrders: .rows
    case .missesRows: .predicates
    case .losesMarks: .hostileNames
    }
  }
}
