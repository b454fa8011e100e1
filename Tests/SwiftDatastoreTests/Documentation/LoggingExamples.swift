import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Synchronization
import Testing

// The code of Logging.md, to the letter.

extension ModelsArticle {
  final class SlowReads: DatastoreLogger {
    let level = DatastoreEvent.Level.trace
    private let state = Mutex((reads: 0, slow: [String]()))

    func log(_ event: DatastoreEvent) {
      guard case .fetched = event.kind else { return }
      state.withLock { state in
        state.reads += 1
        if let duration = event.duration, duration > .milliseconds(50) {
          state.slow.append("\(event)")
        }
      }
    }

    var reads: Int { state.withLock { $0.reads } }
    var slow: [String] { state.withLock { $0.slow } }
  }

  @Suite struct LoggingExamples {
    @Test func readsAreCounted() async throws {
      let folder = try TemporaryDirectory()
      let (url, model) = (folder.file("staff.sqlite"), try ModelsArticle.model())
      let reads = SlowReads()
      var options = SwiftDatastore.Options()
      options.logger = reads
      let datastore = try SwiftDatastore(dataModel: model, url: url, options: options)
      _ = try await datastore.newContext().perform { context in
        try context.count(Employee.self, where: \.$name == "Tom")
      }
      #expect(reads.reads >= 1 && reads.slow.count <= reads.reads)
      options.traceSQL = { statement in print(statement) }
      try datastore.close()
      withExtendedLifetime(folder) {}
    }
  }
}
