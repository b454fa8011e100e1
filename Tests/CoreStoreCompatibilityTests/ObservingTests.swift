import CoreStoreCompatibility
import DatastoreTestSupport
import Foundation
import Testing

final class Member: CoreStoreObject {
  @Field.Stored("name") var name: String = ""
  @Field.Stored("lastName") var lastName: String = ""
  @Field.Stored("title") var title: String = "Engineer"
  @Field.Stored("gender") var gender: String = "M"
  @Field.Stored("age") var age: Int = 0
}

/// Records the calls of an observer, a line for each call.
@MainActor
class Recorder: ListObserver, ObjectObserver {
  var lines: [String] = []
  /// The names in the list at each call, if the test wants them.
  var namesOf: ListMonitor<Member>?

  func listMonitorWillChange(_ monitor: ListMonitor<Member>) { add("will change", monitor) }
  func listMonitorDidChange(_ monitor: ListMonitor<Member>) { add("did change", monitor) }
  func listMonitorWillRefetch(_ monitor: ListMonitor<Member>) { add("will refetch", monitor) }
  func listMonitorDidRefetch(_ monitor: ListMonitor<Member>) { add("did refetch", monitor) }

  private func add(_ line: String, _ monitor: ListMonitor<Member>) {
    let names = monitor.snapshot.compactMap { $0.lastObject }.filter { !$0.isDeleted }.map(\.name)
    lines.append("\(line): \(names.joined(separator: " "))")
  }

  func objectMonitor(_ monitor: ObjectMonitor<Member>, willUpdateObject object: Member) {
    lines.append("will update \(object.name)")
  }

  func objectMonitor(
    _ monitor: ObjectMonitor<Member>, didUpdateObject object: Member,
    changedPersistentKeys: Set<KeyPathString>
  ) {
    lines.append("did update \(object.name): \(changedPersistentKeys.sorted())")
  }

  func objectMonitor(_ monitor: ObjectMonitor<Member>, didDeleteObject object: Member) {
    lines.append("did delete, \(object.isDeleted), \(monitor.isObjectDeleted)")
  }
}

/// Keeps the objects whose deletion is reported.
@MainActor
final class DeletionRecorder: ListObjectObserver, ObjectObserver {
  var deleted: [Member] = []
  var ofObject: Member?

  func listMonitorWillChange(_ monitor: ListMonitor<Member>) {}
  func listMonitorDidChange(_ monitor: ListMonitor<Member>) {}
  func listMonitorWillRefetch(_ monitor: ListMonitor<Member>) {}
  func listMonitorDidRefetch(_ monitor: ListMonitor<Member>) {}

  func listMonitor(
    _ monitor: ListMonitor<Member>, didDeleteObject object: Member, fromIndexPath place: IndexPath
  ) { deleted.append(object) }

  func objectMonitor(_ monitor: ObjectMonitor<Member>, didDeleteObject object: Member) {
    ofObject = object
  }
}

/// Also receives objects and sections.
@MainActor
final class DetailedRecorder: Recorder, ListSectionObserver {
  func listMonitor(
    _ monitor: ListMonitor<Member>, didInsertObject object: Member, toIndexPath place: IndexPath
  ) { lines.append("insert \(object.name) \(Array(place))") }

  func listMonitor(
    _ monitor: ListMonitor<Member>, didDeleteObject object: Member, fromIndexPath place: IndexPath
  ) { lines.append("delete \(object.isDeleted) \(Array(place))") }

  func listMonitor(
    _ monitor: ListMonitor<Member>, didUpdateObject object: Member, atIndexPath place: IndexPath
  ) { lines.append("update \(object.name) \(Array(place))") }

  func listMonitor(
    _ monitor: ListMonitor<Member>, didMoveObject object: Member, fromIndexPath: IndexPath,
    toIndexPath: IndexPath
  ) { lines.append("move \(object.name) \(Array(fromIndexPath)) \(Array(toIndexPath))") }

  func listMonitor(
    _ monitor: ListMonitor<Member>, didInsertSection section: ListSnapshot<Member>.Section,
    toSectionIndex index: Int
  ) { lines.append("insert section \(section.name) \(index)") }

  func listMonitor(
    _ monitor: ListMonitor<Member>, didDeleteSection section: ListSnapshot<Member>.Section,
    fromSectionIndex index: Int
  ) { lines.append("delete section \(section.name) \(index)") }
}

/// The chapter on observing of CoreStore's document. The line of a block is that of its first fence.
@MainActor
@Suite struct ObservingTests {
  private let dataStack = DataStack(
    CoreStoreSchema(modelVersion: "V1", entities: [Entity<Member>("Member")]))

  init() throws {
    try dataStack.addStorageAndWait(InMemoryStore())
    try change { transaction in
      for (name, age) in [("Ann", 31), ("Bob", 31), ("Cyd", 42), ("Dan", 20)] {
        let member = try transaction.create(Into<Member>())
        (member.name, member.age, member.lastName) = (name, age, "\(name)son")
      }
    }
  }

  private func change(
    source: (any Sendable)? = nil, _ body: (SynchronousDataTransaction) throws -> Void
  ) throws {
    try dataStack.perform(synchronous: { try body($0) }, sourceIdentifier: source)
    try dataStack.datastore.sharedViewContext.processPendingChanges()
  }

  private func named(_ name: String) -> From<Member> { From<Member>().where(\.$name == name) }

  // Promise: a list changes while several monitors observe it → each has the list as it was before, then
  // sections, objects, sections, then the list as it is.
  // Also: `ObservingTests.detailedObserver`
  @Test(
    "CoreStore.md:1587, 1600, 1622, 1636: before a change the list is as it was, and after it as it is"
  )
  func listObserver() async throws {
    let monitor = try dataStack.monitorList(
      From<Member>()
        .where(\.$age > 30)
        .orderBy(.ascending(\.$name))
        .tweak { $0.fetchBatchSize = 20 }
    )
    let (first, second) = (Recorder(), Recorder())
    monitor.addObserver(first)
    monitor.addObserver(first)
    monitor.addObserver(second)
    let firstPerson = monitor[0]
    #expect(firstPerson.name == "Ann")
    try change { try $0.fetchOne(named("Dan"))?.age = 50 }
    try change { try $0.fetchOne(named("Ann"))?.age = 1 }
    #expect(
      first.lines == [
        "will change: Ann Bob Cyd", "did change: Ann Bob Cyd Dan",
        "will change: Ann Bob Cyd Dan", "did change: Bob Cyd Dan",
      ])
    #expect(second.lines == first.lines)
    monitor.removeObserver(second)
    first.lines = []
    try await monitor.refetch(From<Member>().where(\.$age < 30).orderBy(.ascending(\.$name)))
    #expect(first.lines == ["will refetch: Bob Cyd Dan", "did refetch: Ann"])
    #expect(second.lines.count == 4)
  }

  @Test("CoreStore.md:1609, 1616, 1641: sections come before objects, and go after them")
  func detailedObserver() throws {
    let monitor = try dataStack.monitorSectionedList(
      From<Member>()
        .sectionBy(\.$age)
        .where(\.$gender == "M")
        .orderBy(.ascending(\.$age), .ascending(\.$name))
        .tweak { $0.fetchBatchSize = 20 }
    )
    let recorder = DetailedRecorder()
    monitor.addObserver(recorder as DetailedRecorder)
    let all = "Dan Ann Bob Cyd"
    try change { try $0.fetchOne(named("Dan"))?.age = 25 }
    #expect(
      recorder.lines == [
        "will change: \(all)", "insert section 25 0", "move Dan [0, 0] [0, 0]",
        "delete section 20 0", "did change: \(all)",
      ])
    recorder.lines = []
    try change { transaction in
      try transaction.delete(transaction.fetchOne(named("Cyd")))
      try transaction.fetchOne(named("Ann"))?.title = "Doctor"
      let member = try transaction.create(Into<Member>())
      (member.name, member.age) = ("Eve", 31)
    }
    #expect(
      recorder.lines == [
        "will change: Dan Ann Bob", "delete true [2, 0]", "insert Eve [1, 2]", "update Ann [1, 0]",
        "delete section 42 2", "did change: Dan Ann Bob Eve",
      ])
    // CoreStore.md:1671
    let indexPath = IndexPath(row: 2, section: 1)
    let person1 = monitor[indexPath]
    let person2 = monitor[1, 2]
    #expect(person1 === person2 && person1.name == "Eve")
    #expect(monitor[safe: IndexPath(row: 9, section: 1)] == nil && monitor[safe: 99] == nil)
  }

  // Promise: an observer is told of a deletion → it is handed the object that the program has, with what
  // was in memory of it.
  @Test("An observer is handed the object that was deleted, with what was in memory of it")
  func deletedObjects() throws {
    let list = try dataStack.monitorList(From<Member>().orderBy(.ascending(\.$name)))
    let (ann, bob) = (list[0], list[1])
    let object = try dataStack.monitorObject(ann)
    #expect(ann.name == "Ann" && bob.name == "Bob")
    let recorder = DeletionRecorder()
    list.addObserver(recorder)
    object.addObserver(recorder)
    try change { transaction in
      try transaction.delete(transaction.fetchOne(named("Ann")))
      try transaction.delete(transaction.fetchOne(named("Bob")))
    }
    #expect(recorder.deleted.map(\.name) == ["Ann", "Bob"])
    #expect(recorder.deleted[0] === ann && recorder.deleted[1] === bob && recorder.ofObject === ann)
    #expect(recorder.deleted.map(\.isDeleted) == [true, true])
    // A batch operation reports only which rows were deleted.
    let cyd = list[0]
    #expect(cyd.name == "Cyd")
    recorder.deleted = []
    try change { try $0.deleteAll(named("Cyd")) }
    #expect(recorder.deleted.count == 1 && recorder.deleted.first === cyd)
    #expect(cyd.name == "Cyd" && object.isObjectDeleted)
  }

  @Test("CoreStore.md:1653, 1663: sections have names of their own")
  func sectionNames() throws {
    let monitor = try dataStack.monitorSectionedList(
      From<Member>()
        .sectionBy(\.$age) { (sectionName) -> String? in
          "\(sectionName) years old"
        }
        .orderBy(.ascending(\.$age), .ascending(\.$name))
    )
    func title(forHeaderInSection section: Int) -> String? {
      let sectionInfo = monitor.sectionInfoAtIndex(section)
      return sectionInfo.name
    }
    #expect((0..<3).map(title) == ["20 years old", "31 years old", "42 years old"])
    let names: [String] = (0..<3).map { monitor.sectionInfoAtIndex($0).name }
    #expect(names == (0..<3).map(title))
  }

  @Test("Observers and monitors are not kept alive, and say who has changed the list")
  func lives() throws {
    var monitor: ListMonitor<Member>? = try dataStack.monitorList(
      From<Member>().orderBy(.ascending(\.$name)))
    var recorder: Recorder? = Recorder()
    if let recorder { monitor?.addObserver(recorder) }
    weak let weakRecorder = recorder
    try change(source: "import") { try $0.fetchOne(named("Dan"))?.age = 50 }
    #expect(recorder?.lines.count == 2)
    #expect(monitor?.changeSources.first?.identifier as? String == "import")
    recorder = nil
    #expect(weakRecorder == nil)
    try change { try $0.fetchOne(named("Dan"))?.age = 51 }
    weak let weakMonitor = monitor
    monitor = nil
    #expect(weakMonitor == nil)
  }

  @Test("CoreStore.md:1513, 1529: each observer is told the keys that have changed")
  func objectObserver() throws {
    let person = try #require(try dataStack.fetchOne(named("Ann")))
    let monitor = try dataStack.monitorObject(person)
    let (first, second) = (Recorder(), Recorder())
    monitor.addObserver(first)
    monitor.addObserver(second)
    #expect(monitor.object === person)
    try change {
      let ann = try $0.fetchOne(named("Ann"))
      ann?.age = 32
      ann?.title = "Doctor"
      ann?.gender = "M"
    }
    #expect(first.lines == ["will update Ann", #"did update Ann: ["age", "title"]"#])
    #expect(second.lines == first.lines)
    monitor.removeObserver(second)
    try change { try $0.delete(person) }
    #expect(first.lines.last == "did delete, true, true")
    #expect(monitor.object == nil && second.lines.count == 2)
  }
}

extension ObservingTests {
  @Test("CoreStore.md:1467, 1474: one property")
  func properties() throws {
    let person = try #require(try dataStack.fetchOne(named("Ann")))
    var lines: [String] = []
    let observer = person.observe(\.$age, options: [.new]) { (person, change) in
      lines.append(
        "Happy \(change.newValue ?? 0)th birthday, \(person.name)! \(change.oldValue ?? 0)")
    }
    let other = person.$age.observe(options: [.new, .old, .initial]) { (person, change) in
      lines.append("\(change.oldValue ?? 0) → \(change.newValue ?? 0)")
    }
    for age in [32, 33] { try change { try $0.fetchOne(named("Ann"))?.age = age } }
    #expect(
      Set(lines) == [
        "0 → 31", "31 → 32", "Happy 32th birthday, Ann! 0", "32 → 33",
        "Happy 33th birthday, Ann! 0",
      ])
    other.cancel()
    try change { try $0.fetchOne(named("Ann"))?.age = 34 }
    #expect(lines.count == 6 && lines.last?.hasPrefix("Happy 34") == true)
    withExtendedLifetime(observer) {}
  }

  @Test("CoreStore.md:1485, 1489, 1497, 1543, 1552: publishers")
  func publishers() throws {
    let person = try #require(try dataStack.fetchOne(named("Cyd")))
    let objectPublisher: ObjectPublisher<Member> = try person.asPublisher(in: dataStack)
    let listPublisher = try dataStack.listPublisher(
      From<Member>()
        .sectionBy(\.$age) { "Age \($0)" }  // sections are optional
        .where(\.$title == "Engineer")
        .orderBy(.ascending(\.$lastName))
    )
    let indexPath = IndexPath(row: 0, section: 2)
    #expect(listPublisher.snapshot[indexPath] === objectPublisher)
    #expect(listPublisher.snapshot.sections.map(\.name) == ["Age 20", "Age 31", "Age 42"])
    let owner = Recorder()
    objectPublisher.addObserver(owner) { [weak owner] (objectPublisher) in
      let snapshot: ObjectSnapshot<Member>? = objectPublisher.snapshot
      // handle changes
      owner?.lines.append("\(snapshot?.$title ?? "-")")
    }
    listPublisher.addObserver(owner) { [weak owner] (listPublisher) in
      let snapshot: ListSnapshot<Member> = listPublisher.snapshot
      // handle changes
      owner?.lines.append("\(snapshot.count)")
    }
    try change { try $0.fetchOne(named("Cyd"))?.title = "Doctor" }
    #expect(Set(owner.lines) == ["Doctor", "3"])
    #expect(try person.asSnapshot(in: dataStack)?.$age == 42)
  }
}
