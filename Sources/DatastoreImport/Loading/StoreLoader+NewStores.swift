import DatastoreCore
import Foundation
import SwiftDatastore

/// Stores in a server that are created for a load.
extension StoreLoader {
  /// Creates the store and loads into it. If that fails, the store is removed.
  func loadIntoNew(
    _ making: StoreMaking, _ notify: @escaping @Sendable (LoadEvent) -> Void
  ) async throws -> LoadReport {
    if options.isTrial { return try await tryNewStore(notify) }
    var plan = plan
    let content: StoreMaking.Content
    var notes: [String] = []
    // Types are inferred by reading everything once before the load reads it again.
    if plan.model == nil { try plan.spoolPipes { notify(.waiting($0)) } }
    if let name = plan.model {
      content = .model(try Self.model(named: name, among: models))
    } else {
      let found = try inferredSchema(of: plan, notify)
      content = .schema(found.schema)
      notes = found.notes
    }
    let remove = try making.make(content)
    do {
      var report = try await StoreLoader(
        plan, into: destination, options: options, models: models
      ).loadIntoExisting(notify)
      report.notes += notes + ["\(destination.name) is new."]
      return report
    } catch {
      throw LeftoverError.removing(destination.name, after: error) { try remove() }
    }
  }

  /// Loads into a temporary file, as if it were the store.
  func tryNewStore(_ notify: @escaping @Sendable (LoadEvent) -> Void) async throws -> LoadReport {
    let building = try StoreUnderConstruction(
      at: FileManager.default.temporaryDirectory.appendingPathComponent("datastore-trial"))
    defer { building.discard() }
    return try await build(building, notify)
  }

  /// - Throws: `LoadError.unfit` if a manifest describes objects of a model, but the database has only other
  ///   tables.
  func requireStore(for plan: LoadPlan) throws {
    guard let model = plan.model, destination.url == nil, destination.making == nil else { return }
    let store = try destination.store(true)
    defer { try? store.close() }
    let isMissing = plan.sources.contains { source in
      guard case .entity(let content) = source.content else { return false }
      return store.schema.entity(named: content.entity) == nil
    }
    guard isMissing else { return }
    throw LoadError.unfit(
      nil,
      reason:
        "The manifest describes objects of the model “\(model.shownInMessage)”, for which "
        + "\(destination.name) has no tables; say with --store-name which store of it they are for, and "
        + "it is made if need be")
  }
}
