import CoreStoreCompatibility
import Foundation
import Testing

/// Records the calls of an observer that reads the source of each change, a line for each call.
@MainActor
private final class SourceRecorder: ListSectionObserver, ObjectObserver {
  typealias ListEntityType = Member
  typealias ObjectEntityType = Member
  var lines: [String] = []

  private func add(_ line: String, _ source: Any?) { lines.append("\(line) \(source ?? "-")") }

  func listMonitorWillChange(_ monitor: ListMonitor<Member>, sourceIdentifier: Any?) {
    add("will change", sourceIdentifier)
  }

  func listMonitorDidChange(_ monitor: ListMonitor<Member>, sourceIdentifier: Any?) {
    add("did change", sourceIdentifier)
  }

  func listMonitorWillRefetch(_ monitor: ListMonitor<Member>, sourceIdentifier: Any?) {
    add("will refetch", sourceIdentifier)
  }

  func listMonitorDidRefetch(_ monitor: ListMonitor<Member>, sourceIdentifier: Any?) {
    add("did refetch", sourceIdentifier)
  }

  func listMonitor(
    _ monitor: ListMonitor<Member>, didInsertObject object: Member,
    toIndexPath indexPath: IndexPath, sourceIdentifier: Any?
  ) { add("insert \(object.name)", sourceIdentifier) }

  func listMonitor(
    _ monitor: ListMonitor<Member>, didUpdateObject object: Member,
    atIndexPath indexPath: IndexPath, sourceIdentifier: Any?
  ) { add("update \(object.name)", sourceIdentifier) }

  func listMonitor(
    _ monitor: ListMonitor<Member>, didInsertSection sectionInfo: ListSnapshot<Member>.Section,
    toSectionIndex sectionIndex: Int, sourceIdentifier: Any?
  ) { add("section \(sectionInfo.name)", sourceIdentifier) }

  func objectMonitor(
    _ monitor: ObjectMonitor<Member>, didUpdateObject object: Member,
    changedPersistentKeys: Set<KeyPathString>, sourceIdentifier: Any?
  ) { add("object \(object.name)", sourceIdentifier) }
}

/// CoreStore's public names, a line for each, by the file that declares them there: monitors, observers and
/// publishers.
@MainActor
@Suite struct NamesOfMonitorsTests {
  private let dataStack = DataStack(
    CoreStoreSchema(modelVersion: "V1", entities: [Entity<Member>("Member")]))

  init() throws {
    try dataStack.addStorageAndWait(InMemoryStore())
    try change("start") { transaction in
      for name in ["Ann", "Bob"] { try transaction.create(Into<Member>()).name = name }
    }
  }

  private func change(
    _ source: String?, _ body: (SynchronousDataTransaction) throws -> Void
  ) throws {
    try dataStack.perform(synchronous: { try body($0) }, sourceIdentifier: source)
    try dataStack.datastore.sharedViewContext.processPendingChanges()
  }

  private var query: From<Member> {
    From<Member>().sectionBy(\.$gender).orderBy(.ascending(\.$name))
  }

  // Promise: who observes a list asks for the source → it is told it, also where it only has functions with
  // `sourceIdentifier`.
  @Test("ListObserver.swift, ObjectObserver.swift: who asks for the source is told it")
  func sources() async throws {
    let monitor = try dataStack.monitorSectionedList(query)
    let object = try dataStack.monitorObject(monitor[0])
    let recorder = SourceRecorder()
    monitor.addObserver(recorder)
    object.addObserver(recorder)
    try change("import") { transaction in
      try transaction.fetchOne(From<Member>().where(\.$name == "Ann"))?.title = "Doctor"
      let member = try transaction.create(Into<Member>())
      (member.name, member.gender) = ("Cyd", "X")
    }
    #expect(
      Set(recorder.lines) == [
        "will change import", "section X import", "insert Cyd import", "update Ann import",
        "did change import", "object Ann import",
      ])
    recorder.lines = []
    try change(nil) { try $0.fetchOne(From<Member>())?.age = 3 }
    #expect(recorder.lines.first == "will change -" || recorder.lines.first == "object Ann -")
    recorder.lines = []
    // Only the order is another one.
    monitor.refetch(OrderBy<Member>(.descending("name")), sourceIdentifier: "sorting")
    while recorder.lines.last != "did refetch sorting" { await Task.yield() }
    #expect(recorder.lines == ["will refetch sorting", "did refetch sorting"])
    #expect(monitor.objectsInAllSections().map(\.name) == ["Bob", "Ann", "Cyd"])
    monitor.refetch([Where<Member>("name", isEqualTo: "Ann")])
    while monitor.numberOfObjects() != 1 { await Task.yield() }
    monitor.refetch(Where<Member>("name", isEqualTo: "Bob"))
    while monitor[0].name != "Bob" { await Task.yield() }
    monitor.removeObserver(recorder)
  }

  @Test("ListMonitor.swift, ObjectMonitor.swift, DataStack+Observing.swift")
  func monitors() async throws {
    let monitor: ListMonitor<Member> = await withCheckedContinuation { continuation in
      do {
        try dataStack.monitorList(
          createAsynchronously: { continuation.resume(returning: $0) },
          From<Member>(), OrderBy<Member>(.ascending("name")))
      } catch {
        Issue.record(error)
      }
    }
    #expect(monitor.objectsInAllSections().map(\.name) == ["Ann", "Bob"])
    let sectioned: ListMonitor<Member> = await withCheckedContinuation { continuation in
      do {
        try dataStack.monitorSectionedList(
          createAsynchronously: { continuation.resume(returning: $0) }, query)
      } catch {
        Issue.record(error)
      }
    }
    #expect(sectioned.sections().map(\.name) == ["M"] && sectioned != monitor)
    let name: String = sectioned.sectionInfo(at: 0).name
    #expect(name == "M" && sectioned.sectionInfo(at: 0).indexTitle == "M")
    monitor.userInfo["key"] = 1
    #expect(monitor.userInfo["key"] as? Int == 1 && monitor.publisher.userInfo === monitor.userInfo)
    #expect(ListMonitor<Member>.ObjectType.self == Member.self)
    #expect(monitor.coreStoreDumpString == "ListMonitor of 2 Member in 1 sections")
    let object = try dataStack.monitorObject(monitor[0])
    object.userInfo["key"] = 1
    #expect(object.objectID() == monitor[0].objectID && object == object)
    #expect(Set([object]).count == 1 && object.userInfo["key"] != nil)
    #expect(object.debugDescription.hasPrefix("ObjectMonitor ("))
    #expect(ObjectMonitor<Member>.ObjectType.self == Member.self && !object.isObjectDeleted)
  }

  @Test("ListPublisher.swift, ObjectPublisher.swift, DataStack+DataSources.swift")
  func publishers() throws {
    let list = try dataStack.publishList(query)
    let object: ObjectPublisher<Member> = try dataStack.publishObject(list.snapshot[0].objectID())
    var lines: [String] = []
    let owner = SourceRecorder()
    list.addObserver(owner, notifyInitial: true, initialSourceIdentifier: "first") {
      (listPublisher, sourceIdentifier) in
      lines.append("list \(listPublisher.snapshot.count) \(sourceIdentifier ?? "-")")
    }
    object.addObserver(owner, notifyInitial: true, initialSourceIdentifier: "first") {
      (objectPublisher, sourceIdentifier) in
      lines.append("object \(objectPublisher.$title ?? "-") \(sourceIdentifier ?? "-")")
    }
    #expect(lines == ["list 2 first", "object Engineer first"])
    lines = []
    try change("import") { try $0.fetchOne(From<Member>())?.title = "Doctor" }
    #expect(Set(lines) == ["list 2 import", "object Doctor import"])
    list.removeObserver(owner)
    object.removeObserver(owner)
    try list.refetch(query.where(\.$name == "Bob"), sourceIdentifier: "search")
    #expect(list.snapshot.count == 1 && list == list && object == object)
    list.userInfo["key"] = 1
    #expect(list.userInfo["key"] as? Int == 1)
    #expect(ListPublisher<Member>.ItemID.self == DatastoreObjectID.self)
    #expect(ListPublisher<Member>.SectionID.self == ListSectionID.self)
    #expect(ListPublisher<Member>.ObjectType.self == ObjectPublisher<Member>.ObjectType.self)
  }

  @Test("CoreStoreObject+Observing.swift")
  func properties() throws {
    let member = try #require(try dataStack.fetchOne(From<Member>()))
    var diffs: [CoreStoreObjectValueDiff<Int>] = []
    let observation: CoreStoreObjectKeyValueObservation = member.observe(
      \.$age, options: [.old, .new, .prior]
    ) { diffs.append($1) }
    try change(nil) { try $0.fetchOne(From<Member>())?.age = 30 }
    #expect(diffs.map(\.isPrior) == [true, false] && diffs.allSatisfy { $0.kind == .setting })
    #expect(diffs.map(\.oldValue) == [0, 0] && diffs.map(\.newValue) == [nil, 30])
    observation.invalidate()
    try change(nil) { try $0.fetchOne(From<Member>())?.age = 31 }
    #expect(diffs.count == 2)
  }
}
