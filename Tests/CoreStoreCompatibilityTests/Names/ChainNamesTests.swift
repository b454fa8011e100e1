import CoreStoreCompatibility
import Foundation
import Testing

/// Each name of CoreStore's other clauses and chains, by the file that declares it there.
@MainActor
@Suite struct ChainNamesTests {
  private let dataStack: DataStack
  private let all = From<Owner>()

  init() throws { dataStack = try namedStack() }

  private func names(_ query: FetchChainBuilder<Owner>) throws -> String {
    try dataStack.fetchAll(query).map { $0.name.prefix(1) }.joined()
  }

  private func sections(_ query: SectionMonitorChainBuilder<Owner>) throws -> [String?] {
    try dataStack.monitorSectionedList(query.orderBy(.ascending(\.$name))).snapshot.sections
      .map(\.name)
  }

  /// From.swift, TypeErasedClauses.swift, FetchChainBuilder.swift, QueryChainBuilder.swift,
  /// SectionMonitorBuilder.swift
  @Test func builders() throws {
    #expect(all.entityClass == Owner.self && From(Owner.self) == all)
    func count(_ chain: some FetchChainableBuilderType<Owner>) throws -> Int {
      try dataStack.fetchCount(chain.from)
    }
    #expect(try count(all.where(\.$age > 20)) == 2)
    let values: any QueryChainableBuilderType = all.select(Int.self, .maximum(\.$age))
    let list: any SectionMonitorBuilderType = all.sectionBy(\.$age)
    #expect(values is QueryChainBuilder<Owner, Int> && list is From<Owner>)
    let clauses: [any FetchClause] = [Where<Owner>("age > 20"), OrderBy<Owner>(.descending("age"))]
    #expect(try names(all.appending(contentsOf: clauses)) == "CB")
    #expect(try names(all.appending(Where<Owner>("age > 30"))) == "C")
    #expect(try dataStack.fetchAll(all, clauses).map(\.age) == [40, 30])
    #expect(try dataStack.fetchOne(all, clauses)?.age == 40)
    #expect(try dataStack.fetchCount(all, clauses) == 2)
    #expect(try dataStack.fetchObjectIDs(all, clauses).count == 2)
    #expect(
      try dataStack.fetchObjectID(all, clauses) == dataStack.fetchOne(all, clauses)?.objectID)
    try dataStack.perform(synchronous: { transaction in
      #expect(try transaction.fetchAll(all, clauses).map(\.age) == [40, 30])
      #expect(try transaction.queryValue(all, Select<Owner, Int>(.sum("age")), clauses) == 70)
      #expect(try transaction.deleteAll(all, clauses) == 2)
      try transaction.delete(objectIDs: transaction.fetchObjectIDs(all))
      #expect(try transaction.fetchCount(all) == 0)
    })
  }

  /// DataStack+Querying.swift, DataStack+Observing.swift and DataStack+DataSources.swift, in code that is
  /// generic over a chain
  @Test func genericOverChains() throws {
    func read(_ chain: some FetchChainableBuilderType<Owner>) throws -> [Int?] {
      #expect(try dataStack.fetchCount(chain) == 2)
      #expect(try dataStack.fetchObjectIDs(chain).first == dataStack.fetchObjectID(chain))
      #expect(try dataStack.fetchOne(chain)?.age == 40)
      #expect(try dataStack.monitorList(chain).snapshot.count == 2)
      #expect(try dataStack.publishList(chain).snapshot.count == 2)
      return try dataStack.fetchAll(chain).map(\.age)
    }
    let older = all.where(\.$age > 20).orderBy(.descending(\.$age))
    #expect(try read(older) == [40, 30])
    func greatest(_ chain: some QueryChainableBuilderType<Owner, Int>) throws -> Int? {
      try dataStack.queryValue(chain)
    }
    #expect(try greatest(all.select(Int.self, .maximum(\.$age))) == 40)
    func rows(_ chain: some QueryChainableBuilderType<Owner, NSDictionary>) throws -> Int {
      try dataStack.queryAttributes(chain).count
    }
    #expect(try rows(older.select(.attribute(\.$age))) == 2)
    func delete(
      _ chain: some FetchChainableBuilderType<Owner>, in transaction: SynchronousDataTransaction
    ) throws -> Int { try transaction.deleteAll(chain) }
    let deleted = try dataStack.perform(synchronous: { try delete(older, in: $0) })
    #expect(deleted == 2)
  }

  /// ListMonitor.swift, ListPublisher.swift
  @Test func refetchingByChains() async throws {
    func refetched(_ chain: some SectionMonitorBuilderType<Owner>) async throws -> Int {
      let monitor = try dataStack.monitorSectionedList(all.orderBy(.ascending(\.$age)))
      try await monitor.refetch(chain)
      let publisher = try dataStack.publishList(all.orderBy(.ascending(\.$age)))
      try publisher.refetch(chain)
      #expect(publisher.snapshot.sections.count == monitor.snapshot.sections.count)
      return monitor.snapshot.sections.count
    }
    let older = all.where(\.$age > 20).orderBy(.descending(\.$age))
    let sections = try await refetched(older.sectionBy(\.$age))
    #expect(sections == 2)
  }

  /// From+Querying.swift
  @Test func conditions() throws {
    #expect(try names(all.where(combineByAnd: \.$age > 20, \.$age < 40)) == "B")
    #expect(try names(all.where(combineByOr: \.$age > 30, \.$age < 30)) == "AC")
    #expect(try names(all.where(format: "age > %d", 20)) == "BC")
    #expect(try names(all.where(format: "age > %d", argumentArray: [30])) == "C")
    #expect(try names(all.where(Where<Owner>("age > 30"))) == "C")
    #expect(try names(all.orderBy(.descending(\.$age)).tweak { $0.fetchLimit = 2 }) == "CB")
  }

  /// OrderBy.swift
  @Test func orders() throws {
    #expect(try names(all.orderBy(OrderBy<Owner>(.descending(\.$age)))) == "CBA")
    #expect(try names(all.orderBy(.descending(\.$age), .ascending(\.$name))) == "CBA")
    #expect(try names(all.orderBy([.descending(\.$age)])) == "CBA")
    #expect(try names(all.orderBy(.descending { $0.$age })) == "CBA")
    #expect(try names(all.orderBy(.ascending { $0.$age }, .ascending("name"))) == "ABC")
    var order = OrderBy<Owner>()
    order += OrderBy<Owner>(.descending("nickname"))
    #expect(try names(all.orderBy(order + OrderBy<Owner>([.descending("age")]))) == "BCA")
    #expect([order, OrderBy<Owner>(.ascending("age"))].combined().sortDescriptors.count == 2)
    #expect([OrderBy<Owner>.SortKey.ascending("age")] == [.ascending(\.$age)])
    #expect(Set([order, order]).count == 1)
  }

  /// SectionBy.swift, DataStack+Observing.swift
  @Test func sectioned() throws {
    let ages = ["20", "30", "40"]
    #expect(try sections(all.sectionBy(\.$age)) == ages)
    #expect(try sections(all.sectionBy("age")) == ages)
    #expect(try sections(all.sectionBy(SectionBy<Owner>(\.$age))) == ages)
    #expect(try sections(all.sectionBy(SectionBy<Owner>("age"))) == ages)
    let years = ["20 years", "30 years", "40 years"]
    #expect(try sections(all.sectionBy(\.$age) { "\($0) years" }) == years)
    #expect(
      try sections(all.sectionBy(\.$age, sectionIndexTransformer: { $0.map { "\($0) years" } }))
        == years)
    #expect(
      try sections(all.sectionBy("age", sectionIndexTransformer: { $0.map { "\($0) years" } }))
        == years)
    #expect(
      try sections(all.sectionBy(SectionBy<Owner>("age") { $0.map { "\($0) years" } })) == years)
    let (by, order) = (SectionBy<Owner>(\.$age), OrderBy<Owner>(.ascending("name")))
    #expect(try dataStack.monitorList(all, [order]).numberOfObjects() == 3)
    #expect(try dataStack.monitorSectionedList(all, by, order).numberOfSections() == 3)
    #expect(try dataStack.monitorSectionedList(all, by, [order]).numberOfSections() == 3)
    #expect(try dataStack.publishList(all, [order]).snapshot.numberOfItems == 3)
    #expect(try dataStack.publishList(all, by, order).snapshot.numberOfSections == 3)
    #expect(try dataStack.publishList(all, by, [order]).snapshot.numberOfSections == 3)
  }

  /// Tweak.swift
  @Test func tweaks() throws {
    let tweak = Tweak { $0.fetchLimit = 1 }
    #expect(try names(all.orderBy(.descending(\.$age)).tweak(tweak.closure)) == "C")
    #expect(try dataStack.fetchAll(all, OrderBy<Owner>(.ascending("age")), tweak).count == 1)
  }
}
