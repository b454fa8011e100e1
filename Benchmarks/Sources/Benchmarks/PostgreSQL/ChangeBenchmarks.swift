#if PostgreSQL
import Foundation
import SwiftDatastore
import SwiftDatastorePostgreSQL

/// How long it takes until a change that another program has saved is in a controller.
///
/// The other program is another store with connections of its own: a store knows its own saves by its number,
/// and takes in all others as those of another process.
struct ChangeBenchmarks {
  let database: String
  let rows: Int

  private static let changes = 200
  /// The seconds that it may take.
  static let goal = 0.01

  /// Seconds from the moment a save has ended until the observer of a controller over the whole table is
  /// called.
  struct Delays {
    let median: Double
    /// One in a hundred takes longer than this.
    let long: Double
  }

  @MainActor func delays() async throws -> Delays {
    let shown = try open()
    let other = try open()
    let controller = FetchedObjectsController<Employee>(
      viewContext: shown.sharedViewContext, orderBy: [.asc(\.$surname)])
    try await controller.performFetch()
    let (told, continuation) = AsyncStream.makeStream(of: ContinuousClock.Instant.self)
    let token: ObserverToken = controller.observeChanges { _ in continuation.yield(.now) }
    // The interval is so long that looking finds nothing: only notifications are measured.
    let watch = shown.watchForExternalChanges(every: 3_600)
    let contender = LibraryContender(other, rows: rows)
    let ids = try await contender.identifiers(
      (0..<Self.changes).map { MergeMeasurement.key($0, of: rows) })
    var events = told.makeAsyncIterator()
    // The first waits until the server listens.
    var delays: [Double] = []
    for (number, id) in ids.enumerated() {
      let saved = try await other.newContext().perform { context in
        let employee: Employee = try context.object(with: id)
        employee.surname = MergeMeasurement.surname(number)
        try context.saveChanges()
        return ContinuousClock.now
      }
      guard let told = await events.next() else { break }
      var delay = Stopwatch()
      delay.add(told - saved)
      // The answer to who saves and the notification travel at the same time.
      if number > 0 { delays.append(max(delay.seconds, 0)) }
    }
    watch.cancel()
    token.cancel()
    try other.close()
    try shown.close()
    delays.sort()
    return Delays(median: delays[delays.count / 2], long: delays[delays.count * 99 / 100])
  }

  private func open() throws -> SwiftDatastore {
    try SwiftDatastore(
      dataModel: LibraryContender.makeDataModel(), postgreSQL: "dbname=\(database)")
  }
}
#endif
