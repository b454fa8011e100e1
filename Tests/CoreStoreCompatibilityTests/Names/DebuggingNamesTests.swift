import CoreStoreCombine
import CoreStoreCompatibility
import DatastoreTestSupport
import Foundation
import OpenCombine
import Testing

/// CoreStore's names for logs, for the kinds of a property and of a selection, and those of CoreStore 8, a
/// line for each.
@MainActor
@Suite struct DebuggingNamesTests {
  private let dataStack: DataStack

  init() throws { dataStack = try namedStack() }

  /// CoreStore+CustomDebugStringConvertible.swift
  @Test func dumps() throws {
    func text(_ one: some CoreStoreDebugStringConvertible) -> String {
      #expect(one.coreStoreDumpString == one.debugDescription)
      return one.coreStoreDumpString
    }
    let ann = try #require(try dataStack.fetchOne(From<Owner>()))
    let list = try dataStack.publishList(From<Owner>().orderBy(.ascending(\.$name)))
    #expect(text(dataStack).contains("V1"))
    #expect(text(CoreStoreError.userCancelled) == CoreStoreError.userCancelled.description)
    #expect(text(ann.objectID) == "\(ann.objectID)" && !ann.coreStoreDumpString.isEmpty)
    #expect(text(DeleteRule.nullify).contains("nullify") || !text(DeleteRule.nullify).isEmpty)
    #expect(text(Entity<Owner>("Owner")).contains("Owner"))
    #expect(text(From<Owner>()).contains("Owner"))
    #expect(text(GroupBy<Owner>("age")).contains("age"))
    #expect(text(Into<Owner>("Config1")).contains("Config1"))
    #expect(text(list.snapshot).contains("ListSnapshot<Owner>"))
    #expect(list.coreStoreDumpString.contains("ListPublisher<Owner>"))
    #expect(try dataStack.publishObject(ann).coreStoreDumpString.contains("ObjectPublisher<Owner>"))
    let values = try #require(try ann.asSnapshot(in: dataStack))
    #expect(text(values).contains("Owner"))
    #expect(text(LocalStorageOptions.preventProgressiveMigration).contains("2"))
    #expect(text(MigrationChain(["V1", "V2"])).contains("V1"))
    #expect(text(MigrationType.none(version: "V1")).contains("V1"))
    #expect(text(ann.partialObject()).contains("Owner"))
    #expect(text(OrderBy<Owner>(.ascending("age"))).contains("age"))
    #expect(text(dataStack.schemaHistory).contains("SchemaHistory"))
    #expect(text(SectionBy<Owner>("age")).contains("SectionBy<Owner>"))
    #expect(text(Select<Owner, Int>(.sum("age"))).contains("age"))
    let term: SelectTerm<Owner, Int> = .sum("age")
    #expect(text(term).contains("age"))
    #expect(text(Tweak { $0.fetchLimit = 1 }).contains("Tweak"))
    #expect(text(Where<Owner>("age > 30")).contains("30"))
    #expect(text(InMemoryStore()) == InMemoryStore().storeDescription.description)
    #expect(try dataStack.monitorObject(ann).coreStoreDumpString.contains("ObjectMonitor"))
    #expect(try dataStack.monitorList(From<Owner>().orderBy(.ascending("age"))).hasObjects())
    #expect(Result<Int, CoreStoreError>.success(1).coreStoreDumpString.contains("1"))
    #expect(["a"].coreStoreDumpString.contains("a") && "a".coreStoreDumpString.contains("a"))
  }

  /// KeyPathStringConvertible.swift, Field.swift, FieldRelationshipType.swift, Select.swift, GroupBy.swift,
  /// From.swift, Into.swift
  @Test func types() {
    func same(_ one: Any.Type, _ other: Any.Type) -> Bool { one == other }
    typealias Stored = FieldContainer<Owner>.Stored<Int>
    typealias Hounds = FieldContainer<Owner>.Relationship<Set<Hound>>
    #expect(same(Stored.ObjectType.self, Owner.self) && same(Stored.ReturnValueType.self, Int.self))
    #expect(Hounds.DeleteRule.cascade == DeleteRule.cascade)
    #expect(same(Set<Hound>.DestinationObjectType.self, Hound.self))
    #expect(same(Owner?.DestinationObjectType.self, Owner.self))
    typealias Virtual = FieldContainer<Owner>.Virtual<Int>
    #expect(
      same(Virtual.ObjectType.self, Owner.self) && same(Virtual.ReturnValueType.self, Int.self))
    let published: Set<Hound>.PublishedType = nil
    let known: Set<Hound>.SnapshotValueType = published
    #expect(known == nil)
    func types<P: AttributeKeyPathStringConvertible & QueryProperty>(
      _: KeyPath<Owner, P>
    ) -> Bool {
      same(P.ReturnValueType.self, Int.self) && same(P.DestinationValueType.self, Int.self)
    }
    #expect(types(\.$age))
    let selected: any SelectClause = Select<Owner, Int>(.sum("age"))
    #expect(selected.selectTerms.count == 1)
    let grouped: any GroupByClause<Owner> = GroupBy<Owner>("age")
    #expect(grouped.keyPaths == ["age"])
    let ordered: any OrderByClause<Owner> = OrderBy<Owner>(.ascending("age"))
    #expect(ordered.sortKeys.count == 1)
    #expect(From<Owner>("Config1", nil).configurations == ["Config1", nil])
    #expect(From<Owner>().configurations == nil)
    #expect(From(Owner.self, ["Config1", nil]) == From<Owner>("Config1", nil))
    #expect(Into(Owner.self) == Into<Owner>() && Into<Owner>("Config1") != Into<Owner>(nil))
    #expect(Set([GroupBy<Owner>("age"), GroupBy<Owner>("age"), GroupBy<Owner>(\.$age)]).count == 2)
    let (byName, byPath) = (Select<Owner, Int>(.sum("age")), Select<Owner, Int>(.sum(\.$age)))
    #expect(Set([byName, Select<Owner, Int>(.sum("age")), byPath]).count == 2)
    let terms: [SelectTerm<Owner, Int>] = [.sum(\.$age), .sum(\.$age), .sum(\.$age, as: "a")]
    #expect(terms[0] == terms[1] && terms[0] != terms[2] && Set(terms).count == 2)
    #expect(
      Into<Owner>().entityClass == Owner.self && Into<Owner>("Config1").configuration == "Config1")
    #expect(Into<Owner>().configuration == nil)
    #expect(same(ListSnapshot<Owner>.ObjectType.self, Owner.self))
  }

  /// Entity.swift, SQLiteStore.swift, StorageInterface.swift
  @Test func entities() {
    let entity = Entity<Owner>(
      "Owner", indexes: [[\.$age, \.$name]], uniqueConstraints: [[\.$name]])
    #expect(entity.indexes == [["age", "name"]] && entity.uniqueConstraints == [["name"]])
    let others: Set<DynamicEntity> = [entity, Entity<Owner>("Owner"), Entity<Hound>("Hound")]
    #expect(others.count == 2 && entity != Entity<Hound>("Hound"))
    let legacy = SQLiteStore.legacy(
      fileName: "a.sqlite", configuration: "Config1", migrationMappingProviders: [],
      localStorageOptions: .recreateStoreOnModelMismatch)
    #expect(legacy.configuration == "Config1" && !legacy.localStorageOptions.isEmpty)
    let kinds: [any StorageInterface.Type] = [SQLiteStore.self, InMemoryStore.self]
    #expect(kinds.map { $0.storeType } == ["SQLite", "InMemory"])
  }

  /// DataStack+Observing.swift, ListSnapshot.swift, ObjectRepresentation.swift,
  /// CoreStoreObject+Observing.swift
  @Test func lists() async throws {
    let byName = OrderBy<Owner>(.ascending("name"))
    func monitor(
      _ make: (@escaping @MainActor (ListMonitor<Owner>) -> Void) throws -> Void
    ) async throws -> ListMonitor<Owner> {
      let (lists, list) = AsyncStream<ListMonitor<Owner>>.makeStream()
      try make { list.yield($0) }
      for await made in lists { return made }
      throw CancellationError()
    }
    let all = From<Owner>()
    for list in [
      try await monitor { try dataStack.monitorList(createAsynchronously: $0, all, [byName]) },
      try await monitor {
        try dataStack.monitorSectionedList(createAsynchronously: $0, all, SectionBy("age"), byName)
      },
      try await monitor {
        try dataStack.monitorSectionedList(
          createAsynchronously: $0, all, SectionBy("age"), [byName])
      },
    ] {
      #expect(list.objectsInAllSections().map(\.name) == ["Ann", "Bob", "Cyd"])
      #expect(list.objectsInSection(0).first?.name == "Ann")
      #expect(list.objectsInSection(safeSectionIndex: 9) == nil)
    }
    let snapshot = try dataStack.publishList(all, SectionBy("name"), byName).snapshot
    #expect(snapshot.lazy(inSectionWithID: "Bob", atIndices: [0]).map { $0.object?.age } == [30])
  }

  /// ObjectMonitor.swift, ObjectRepresentation.swift, CoreStoreObject+Observing.swift,
  /// BaseDataTransaction.swift
  @Test func objects() throws {
    let ann = try #require(
      try dataStack.fetchOne(From<Owner>(), OrderBy<Owner>(.ascending("name"))))
    let monitor = try dataStack.monitorObject(ann)
    let any: any AnyObjectRepresentation = try #require(try monitor.asSnapshot(in: dataStack))
    #expect(any.objectID == monitor.objectID())
    #expect(try monitor.asReadOnly(in: dataStack) === ann)
    #expect(try monitor.asPublisher(in: dataStack).object === ann)
    var ages: [Int?] = []
    let token = ann.observe(\.$age, options: [.new], changeHandler: { ages.append($1.newValue) })
    try dataStack.perform(synchronous: { transaction in
      try transaction.edit(ann)?.age = 21
      #expect(transaction.updatedObjectIDs() == [ann.objectID])
      #expect(transaction.updatedObjects() as Set<DatastoreObject> == [ann])
      #expect(try monitor.asEditable(in: transaction)?.age == 21)
      #expect(try monitor.asSnapshot(in: transaction)?.$age == 21)
    })
    #expect(ages == [21])
    token.invalidate()
  }

  /// CoreStore 8: DataStack+DataSources.swift and its former names.
  @Test func earlier() throws {
    let byName = OrderBy<Owner>(.ascending("name"))
    let all = From<Owner>()
    for list in [
      try dataStack.listPublisher(all, byName), try dataStack.listPublisher(all, [byName]),
      try dataStack.listPublisher(all, SectionBy("age"), byName),
      try dataStack.listPublisher(all, SectionBy("age"), [byName]),
    ] { #expect(list.snapshot.numberOfItems == 3) }
    let ann = try #require(try dataStack.fetchOne(all, byName))
    #expect(try dataStack.objectPublisher(ann).object === ann)
    let classes: [DatastoreObject.Type] = [
      From<Owner>.D.self, QueryChainBuilder<Owner, Int>.D.self, GroupBy<Owner>.D.self,
      Into<Owner>.D.self, ListMonitor<Owner>.D.self, ObjectMonitor<Owner>.D.self,
      OrderBy<Owner>.D.self, SectionBy<Owner>.D.self, Where<Owner>.D.self,
    ]
    #expect(classes.allSatisfy { $0 == Owner.self })
    func name<P: DynamicKeyPath>(_ path: KeyPath<Owner, P>) -> String { String(keyPath: path) }
    func kind<P: AnyDynamicKeyPath>(_ path: KeyPath<Owner, P>) -> String { String(keyPath: path) }
    #expect(name(\.$age) == kind(\.$age))
  }

  /// ListPublisher.SnapshotPublisher.swift, ObjectPublisher.SnapshotPublisher.swift, DataStack+Reactive.swift
  @Test func reactive() throws {
    let list = try dataStack.publishList(From<Owner>().orderBy(.ascending("name")))
    let lists: ListPublisher<Owner>.ReactiveNamespace = list.reactive
    let stack: DataStack.ReactiveNamespace = dataStack.reactive
    _ = stack
    var counts: [Int] = []
    let snapshots: ListPublisher<Owner>.SnapshotPublisher = lists.snapshot(emitInitialValue: true)
    let token = snapshots.sink { counts.append($0.count) }
    let one: ObjectPublisher<Owner>.ReactiveNamespace = list.snapshot[0].reactive
    let values: ObjectPublisher<Owner>.SnapshotPublisher = one.snapshot(emitInitialValue: true)
    var names: [String?] = []
    let other = values.sink { names.append($0?.$name) }
    #expect(counts == [3] && names == ["Ann"])
    token.cancel()
    other.cancel()
  }
}
