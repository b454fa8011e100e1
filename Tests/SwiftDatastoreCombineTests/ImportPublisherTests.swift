import OpenCombine
import SwiftDatastore
import SwiftDatastoreCombine
import Testing

/// Found by its number; its reading is the last that was imported.
private final class Meter: DatastoreObject {
  @Attribute.NotOptional(unique: true) var number: Int
  @Attribute.NotOptional var reading: Int = 0
}

extension Meter: ImportableUniqueObject {
  struct Negative: Error {}

  typealias ImportSource = [Int]
  static let uniqueIDKeyPath = UniqueIDKeyPath(\Meter.$number)

  static func uniqueID(from source: [Int], in context: any ObjectContext) -> Int? { source[0] }

  func update(from source: [Int], in context: any ObjectContext) throws {
    guard source[1] >= 0 else { throw Negative() }
    reading = source[1]
  }
}

@MainActor
@Suite("Importing, published")
struct ImportPublisherTests {
  private let datastore: SwiftDatastore

  init() throws {
    datastore = try SwiftDatastore(inMemory: SwiftDatastoreModel(from: Meter.self))
  }

  /// The readings that a publisher sends; nil if it fails.
  private func readings(of publisher: AnyPublisher<[Meter], any Error>) async -> [Int]? {
    let (stream, ended) = AsyncStream<[Int]?>.makeStream()
    var readings: [Int] = []
    let subscription = publisher.sink { completion in
      if case .failure = completion { ended.yield(nil) } else { ended.yield(readings) }
    } receiveValue: {
      readings += $0.map(\.reading)
    }
    defer { subscription.cancel() }
    for await outcome in stream { return outcome }
    return nil
  }

  @Test("The objects of the view context are published, or the error")
  func outcomes() async throws {
    let reactive = datastore.reactive
    let sources = [[2, 20], [1, 10], [2, 21]]
    #expect(
      await readings(of: reactive.importUniqueObjects(Meter.self, from: sources)) == [21, 10])
    let changed = reactive.importUniqueObjects(
      Meter.self, from: sources, preProcess: { $0.mapValues { [$0[0], 5] } })
    #expect(await readings(of: changed) == [5, 5])
    let failing = reactive.importUniqueObjects(Meter.self, from: [[3, 30], [4, -1]])
    #expect(await readings(of: failing) == nil)
    #expect(try datastore.sharedViewContext.count(Meter.self) == 2)
  }
}
