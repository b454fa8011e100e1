import DatastoreCore
import DatastoreImport
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

@Suite("Loads are all or nothing")
struct LoadAtomicityTests {
  private static let good = (1...40).map { "\($0),name \($0)\n" }.joined()

  /// A fixture whose store has rows.
  private func filled() async throws -> LoadFixture {
    let fixture = try LoadFixture()
    let path = try fixture.directory.write("id,name\n" + Self.good, to: "good.csv")
    try await fixture.load([path], entity: "P", key: "id")
    return fixture
  }

  @Test("A load that stops leaves the rows of the store as they were")
  func stopped() async throws {
    let fixture = try await filled()
    let before = try await fixture.contents()
    let changes = (20...90).map { "\($0),new \($0)\n" }.joined()
    let path = try fixture.directory.write("id,name\n" + changes + "x,bad\n", to: "bad.csv")
    let told = try await fixture.failure([path], entity: "P", key: "id")
    #expect(told.hasPrefix("bad.csv, line 73, column 1: id: “x” is not an integer."))
    #expect(try await fixture.contents() == before)
  }

  @Test("A load that stops leaves the bytes of a third-party file as they were")
  func stoppedInForeignFile() async throws {
    let fixture = try LoadFixture()
    try SQLiteFile.make(at: fixture.store, ForeignFile.sql)
    let before = try Data(contentsOf: fixture.store)
    let path = try fixture.directory.write("id,name\n1,New\n7,Other\nx,bad\n", to: "bad.csv")
    let told = try await fixture.failure([path], entity: "department", key: "id")
    #expect(told.hasPrefix("bad.csv, line 4, column 1: id: “x” is not an integer."))
    #expect(try Data(contentsOf: fixture.store) == before)
  }

  @Test("A load that the store refuses at its end leaves its rows as they were")
  func refused() async throws {
    let fixture = try await filled()
    let before = try await fixture.contents()
    // Without the key, the unique ids of the rows that are there come again.
    let path = fixture.directory.path("good.csv")
    let told = try await fixture.failure([path], entity: "P")
    #expect(told.hasPrefix("good.csv, line 2, column 1: id: there is another P with the same id."))
    #expect(try await fixture.contents() == before)
  }

  @Test("A new store that stops never appears, even after whole batches")
  func newStore() async throws {
    let fixture = try LoadFixture()
    let path = try fixture.directory.write("id,name\n" + Self.good + "1,again\n", to: "p.csv")
    let told = try await fixture.failure([path], key: "id")
    #expect(told.hasPrefix("p.csv, line 42, column 1: a record before this one has the same key"))
    #expect(try fixture.directory.names() == ["p.csv"])
  }

  @Test("A cancelled load leaves nothing", arguments: [true, false])
  func cancelled(isNew: Bool) async throws {
    let fixture = isNew ? try LoadFixture() : try await filled()
    let path = try fixture.directory.write("id,name\n" + Self.good, to: "again.csv")
    let before = isNew ? nil : try await fixture.contents()
    var options = LoadOptions()
    options.batchSize = 5
    let loader = StoreLoader(
      try LoadPlan(paths: [path], entity: "P", key: "id"), into: fixture.store, options: options)
    let started = AsyncStream<Void>.makeStream()
    let proceed = DispatchSemaphore(value: 0)
    let work = Task {
      try await loader.run { event in
        if case .progress(let progress) = event, progress.stage == .loading, progress.rows == 5 {
          started.continuation.yield()
          proceed.wait()
        }
      }
    }
    // The load is still after its first batch until it has been cancelled.
    for await _ in started.stream { break }
    work.cancel()
    proceed.signal()
    await #expect(throws: CancellationError.self) { try await work.value }
    if let before {
      #expect(try await fixture.contents() == before)
    } else {
      #expect(try fixture.directory.names() == ["again.csv"])
    }
  }

  @Test("A store that appears during a load is not replaced")
  func storeAppears() async throws {
    let fixture = try LoadFixture()
    let path = try fixture.directory.write("id,name\n" + Self.good, to: "p.csv")
    let loader = StoreLoader(try LoadPlan(paths: [path]), into: fixture.store)
    await #expect(throws: LoadError.storeAppeared(path: fixture.store.path)) {
      try await loader.run { event in
        if case .progress(let progress) = event, progress.stage == .finishing {
          _ = FileManager.default.createFile(
            atPath: fixture.store.path, contents: Data("mine".utf8))
        }
      }
    }
    #expect(try Data(contentsOf: fixture.store) == Data("mine".utf8))
    #expect(try fixture.directory.names() == ["p.csv", "store.sqlite"])
  }

  @Test("Progress counts rows and bytes to the end of each file")
  func progress() async throws {
    let fixture = try LoadFixture()
    let path = try fixture.directory.write("id,name\n" + Self.good, to: "p.csv")
    var options = LoadOptions()
    options.batchSize = 16
    let told = Told()
    _ = try await StoreLoader(
      try LoadPlan(paths: [path]), into: fixture.store, options: options
    ).run(told.take)
    let loading = told.progress.filter { $0.stage == .loading }
    #expect(loading.map(\.rows) == [16, 32, 40])
    #expect(loading.last?.bytesRead == loading.last?.totalBytes)
    #expect(loading.map(\.bytesRead) == loading.map(\.bytesRead).sorted())
    #expect(told.progress.first?.stage == .inferring)
    #expect(told.progress.last?.stage == .finishing)
  }
}
