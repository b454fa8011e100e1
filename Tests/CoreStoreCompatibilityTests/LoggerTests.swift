import CoreStoreCompatibility
import DatastoreCore
import Foundation
import Testing

// CoreStore.md:1418
private final class MyLogger: CoreStoreLogger {
  let lines = Lock<[String]>([])

  func log(
    level: LogLevel, message: String, fileName: StaticString, lineNumber: Int,
    functionName: StaticString
  ) {
    lines.withLock { $0.append("\(level) \(message)") }
  }

  func log(
    error: CoreStoreError, message: String, fileName: StaticString, lineNumber: Int,
    functionName: StaticString
  ) {
    lines.withLock { $0.append("error \(message)") }
  }

  func assert(
    _ condition: @autoclosure () -> Bool, message: @autoclosure () -> String,
    fileName: StaticString, lineNumber: Int, functionName: StaticString
  ) {}

  func abort(
    _ message: String, fileName: StaticString, lineNumber: Int, functionName: StaticString
  ) {
    FileHandle.standardError.write(Data("LAST WORD: \(message)\n".utf8))
  }
}

/// The chapter on logging of CoreStore's document.
@Suite struct LoggerTests {
  @Test("CoreStore.md:1427: what a stack does is told, with its importance")
  func log() async {
    await #expect(processExitsWith: .success) { @MainActor in
      let logger = MyLogger()
      CoreStoreDefaults.logger = logger
      let dataStack = DataStack(V1.schema)
      try dataStack.addStorageAndWait(InMemoryStore())
      try Self.save(in: dataStack)
      _ = try dataStack.fetchAll(From<V1.Draft>())
      let lines = logger.lines.withLock { $0 }
      #expect(lines.contains { $0.hasPrefix("notice Opened a store in memory") })
      #expect(lines.contains { $0.hasPrefix("notice Saved 1 new") })
      #expect(lines.contains { $0.hasPrefix("trace Read 1 rows") })
    }
  }

  private static func save(in dataStack: DataStack) throws {
    try dataStack.perform(synchronous: { transaction in
      _ = try transaction.create(Into<V1.Draft>())
    })
  }

  @Test func theLastWordComesBeforeAMistakeTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      CoreStoreDefaults.logger = MyLogger()
      _ = CoreStoreDefaults.dataStack
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("LAST WORD: CoreStoreDefaults.dataStack was read"), "\(text)")
  }
}
