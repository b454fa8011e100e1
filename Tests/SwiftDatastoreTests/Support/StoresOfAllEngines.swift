import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// The same objects in a store of each engine: each question goes to all, with one answer.
struct StoresOfAllEngines: Sendable {
  let stores: [SwiftDatastore]
  /// The one that is a file, for other programs to look into.
  let file: URL

  init(
    _ model: SwiftDatastoreModel,
    fill: @escaping @Sendable (SwiftDatastoreContext.Closure) throws -> Void
  ) async throws {
    let first = try SwiftDatastore(
      dataModel: model, storeName: UUID().uuidString, storingType: .test)
    file = try #require(first.url)
    stores = try [first] + TestEngine.allCases.dropFirst().map { try $0.makeDatastore(model) }
    for store in stores { try await store.write { try fill($0) } }
  }

  /// Runs it in a context of each of them.
  func perform(
    _ body: @escaping @Sendable (SwiftDatastoreContext.Closure) throws -> Void
  ) async throws {
    for store in stores { try await store.newContext().perform { try body($0) } }
  }
}
