import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import SwiftDatastoreTerminal
import TerminalUI
import Testing

/// Which rows of a long list are read.
@MainActor
@Suite struct ReadingTests {
  private final class Counter: DatastoreLogger {
    let level = DatastoreEvent.Level.trace
    private let counts = Lock((reads: 0, rows: 0))

    func log(_ event: DatastoreEvent) {
      guard case .faulted(_, let rows) = event.kind else { return }
      counts.withLock {
        $0.reads += 1
        $0.rows += rows
      }
    }

    /// Removes and returns the reads since the last call.
    func take() -> (reads: Int, rows: Int) {
      counts.withLock { counts in
        defer { counts = (0, 0) }
        return counts
      }
    }
  }

  // Promise: a list has 1,000,000 rows → the rows on the screen are read, in one statement; nothing that is
  // passed over.
  // Also: (counts the reads)
  /// A million rows: each screen is one statement for the rows on it.
  @Test(.enabled(if: SQLiteCommand.isPresent, "\(SQLiteCommand.absence)"))
  func onlyWhatIsVisible() async throws {
    let counter = Counter()
    var options = SwiftDatastore.Options()
    options.logger = counter
    let people = try await People(options: options)
    let count = 1_000_000
    try SQLiteCommand.run(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
      INSERT INTO Person(name, letter) SELECT printf('P%07d', i), 'P' FROM n
      """, on: people.url)
    try people.datastore.checkForExternalChanges()
    let view = PeopleView(people, People.plain)
    let application = TerminalApplication(view)
    // 21 rows are in the border.
    let picture = await application.picture(columns: 40, rows: 24)
    #expect(picture[1].hasPrefix("┃P0000001") && picture[21].hasPrefix("┃P0000021"))
    #expect(counter.take() == (0, 0), "the first rows have come with the list")
    await application.send("end")
    let last = await application.picture(columns: 40, rows: 24)
    #expect(last[21].hasPrefix("┃P1000000") && last[22].hasSuffix("1000000 of 1000000 ━┛"))
    #expect(counter.take() == (1, 21))
    await application.send("up")
    _ = await application.picture(columns: 40, rows: 24)
    #expect(counter.take() == (0, 0))
    for _ in 0..<20 { await application.send("up") }
    _ = await application.picture(columns: 40, rows: 24)
    #expect(counter.take() == (1, 1), "one row came into view")
    await application.send("pgup", "pgup")
    _ = await application.picture(columns: 40, rows: 24)
    #expect(counter.take() == (1, 21), "what was passed over is not read")
  }

  @Test func theEndBeforeItIsKnown() async throws {
    let people = try await People((100..<900).map { "P\($0)" })
    let view = PeopleView(people, People.plain)
    let application = TerminalApplication(view)
    let terminal = MemoryTerminal(size: Size(columns: 40, rows: 10))
    try application.start(on: terminal)
    terminal.press("end")
    #expect(view.$people.isReading)
    await application.settled()
    #expect(view.$people.selected?.$name == "P899" && terminal.picture[7].hasPrefix("┃P899"))
    application.quit()
  }

  @Test func listsOfWidgetsReadWhatThereIsRoomFor() async throws {
    let counter = Counter()
    var options = SwiftDatastore.Options()
    options.logger = counter
    let people = try await People((100..<200).map { "P\($0)" }, options: options)
    // Keys only; no rows are read ahead.
    let publisher = ListPublisher(viewContext: people.view, People.plain)
    try await publisher.performFetch()
    let application = TerminalApplication(Repeated(publisher))
    let picture = await application.picture(columns: 20, rows: 6)
    #expect(picture == ["P100", "P101", "P102", "P103", "P104", ""])
    #expect(counter.take() == (1, 5))
  }

  private final class Repeated: TerminalView {
    @ListState var people: ListSnapshot<Person>

    init(_ publisher: ListPublisher<Person>) { _people = ListState(publisher) }

    var body: [any Widget] {
      ForEach(people) { person in
        Line(person.$name ?? "")
      }
    }
  }
}
