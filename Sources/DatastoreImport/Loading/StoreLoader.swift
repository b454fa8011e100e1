import DatastoreCore
package import Foundation
package import SwiftDatastore

/// Loads files into a store, which is created if it is a file that does not exist.
///
/// A load is all or nothing, also under `kill -9`:
/// - An existing store is written in one transaction after everything has been read and checked.
/// - A new store is built next to its place under a hidden name, batch by batch, and gets its own name only
///   when it is complete. The next load removes the leftovers of a process that has ended.
/// - A new store in a server is created without rows and then written in one transaction; it is removed when
///   that fails.
package struct StoreLoader: Sendable {
  /// The compiled models that a manifest can name.
  package typealias Models = [String: @Sendable () throws -> SwiftDatastoreModel]

  let plan: LoadPlan
  let destination: LoadDestination
  let options: LoadOptions
  let models: Models

  package init(
    _ plan: LoadPlan, into url: URL, options: LoadOptions = LoadOptions(), models: Models = [:]
  ) {
    self.init(plan, into: LoadDestination(url), options: options, models: models)
  }

  package init(
    _ plan: LoadPlan, into destination: LoadDestination, options: LoadOptions = LoadOptions(),
    models: Models = [:]
  ) {
    self.plan = plan
    self.destination = destination
    self.options = options
    self.models = models
  }

  /// Whether the load creates the store: there is no file, or an empty one.
  package var isNewStore: Bool {
    guard let url = destination.url else { return false }
    let size = try? FileManager.default.attributesOfItem(atPath: url.path)[.size] as? NSNumber
    return size.map { $0.intValue == 0 } ?? !FileManager.default.fileExists(atPath: url.path)
  }

  /// Runs the load. Cancel the task to end it.
  ///
  /// - Parameter notify: called from a background queue.
  /// - Throws: `LoadError`, `ImportError`, `StoreError`, `SchemaError`, `CancellationError`.
  package func run(_ notify: @escaping @Sendable (LoadEvent) -> Void) async throws -> LoadReport {
    if let making = destination.making, try making.isNeeded() {
      return try await loadIntoNew(making, notify)
    }
    guard isNewStore, let url = destination.url else { return try await loadIntoExisting(notify) }
    let building = try StoreUnderConstruction(at: url)
    do {
      let report = try await build(building, notify)
      if options.isTrial {
        building.discard()
      } else {
        try building.finish()
      }
      return report
    } catch {
      building.discard()
      throw error
    }
  }

  func loadIntoExisting(
    _ notify: @escaping @Sendable (LoadEvent) -> Void
  ) async throws -> LoadReport {
    var options = options
    options.saving = .once
    var plan = destination.fitted(plan)
    try requireStore(for: plan)
    let isReadTwice = try lacksEntities(plan)
    if isReadTwice { try plan.spoolPipes { notify(.waiting($0)) } }
    if options.isTrial, try lacksEntities(plan) { return try await tryNewEntities(plan, notify) }
    let added = try addMissingEntities(plan, notify)
    do {
      // Data that is reported as loaded is on the disk.
      var opening = SwiftDatastore.Options(synchronous: .extra)
      opening.annotations = options.annotations
      let datastore = try destination.datastore(options.isTrial, opening)
      var report: LoadReport
      do {
        report = try await LoadOperation(plan, into: datastore, options: options).run(notify)
      } catch {
        try? datastore.close()
        throw error
      }
      try datastore.close()
      report.notes += added.notes
      report.notes += added.names.map {
        "the table “\($0.shownInMessage)” is new in \(destination.name)."
      }
      return report
    } catch {
      throw LeftoverError.removing(destination.name, after: error) {
        try removeEntities(added.names)
      }
    }
  }

  /// The compiled model that a manifest names.
  ///
  /// - Throws: `LoadError.unfit` if there is none; the errors of making it.
  package static func model(
    named name: String, among models: Models
  ) throws -> SwiftDatastoreModel {
    guard let model = models[name] else {
      let known = models.keys.sorted().joined(separator: ", ")
      throw LoadError.unfit(
        nil, reason: "There is no model “\(name.shownInMessage)”; the known models are: \(known)")
    }
    return try model()
  }

  func build(
    _ building: StoreUnderConstruction, _ notify: @escaping @Sendable (LoadEvent) -> Void
  ) async throws -> LoadReport {
    if let name = plan.model {
      let model = try Self.model(named: name, among: models)
      let datastore = try SwiftDatastore(
        dataModel: model, url: building.url, options: StoreUnderConstruction.options)
      return try await load(plan, into: datastore, notify)
    }
    var plan = plan
    // Types may be inferred by reading everything once before the load reads it again.
    try plan.spoolPipes { notify(.waiting($0)) }
    let guessed = try inferredSchema(of: plan, sampleSize: options.sampleSize, notify)
    let faults = FaultCounter(notify)
    do {
      return try await build(plan, with: guessed, in: building, faults.first)
    } catch is GuessedTypes.Refuted {
      building.discard()
      return try await build(
        plan, with: inferredSchema(of: plan, notify), in: building, faults.second)
    }
  }

  /// The schema that fits the values of some sources, all of which are read unless a sample is enough.
  func inferredSchema(
    of plan: LoadPlan, sampleSize: Int? = nil, _ notify: @Sendable (LoadEvent) -> Void
  ) throws -> InferredSchema {
    try plan.inferredSchema(batchSize: options.batchSize, sampleSize: sampleSize) { progress in
      try Task.checkCancellation()
      notify(.progress(progress))
    }
  }

  /// - Throws: `GuessedTypes.Refuted` when the types do not hold for all values.
  private func build(
    _ plan: LoadPlan, with found: InferredSchema, in building: StoreUnderConstruction,
    _ notify: @escaping @Sendable (LoadEvent) -> Void
  ) async throws -> LoadReport {
    let guess = found.isGuess ? GuessedTypes(found) : nil
    let datastore = try SwiftDatastore(
      schema: found.schema, url: building.url, options: StoreUnderConstruction.options)
    var report = try await load(plan, into: datastore, guess: guess, notify)
    if guess == nil { report.notes += found.notes }
    return report
  }

  /// Loads into a store that is not visible yet, and closes it.
  private func load(
    _ plan: LoadPlan, into datastore: SwiftDatastore, guess: GuessedTypes? = nil,
    _ notify: @escaping @Sendable (LoadEvent) -> Void
  ) async throws -> LoadReport {
    var options = options
    options.saving = .eachBatch
    let operation = LoadOperation(
      plan, into: datastore, options: options, isNewStore: true, guess: guess)
    do {
      let report = try await operation.run(notify)
      try datastore.close()
      return report
    } catch {
      // The first error is the one to report.
      try? datastore.close()
      throw error
    }
  }
}

/// Reports faults once if a load starts again: the second time the same ones come first.
private final class FaultCounter: Sendable {
  private let notify: @Sendable (LoadEvent) -> Void
  private let told = Lock(0)

  init(_ notify: @escaping @Sendable (LoadEvent) -> Void) {
    self.notify = notify
  }

  func first(_ event: LoadEvent) {
    if case .fault = event { told.withLock { $0 += 1 } }
    notify(event)
  }

  func second(_ event: LoadEvent) {
    if case .fault = event {
      let isTold = told.withLock { count in
        defer { count = max(0, count - 1) }
        return count > 0
      }
      if isTold { return }
    }
    notify(event)
  }
}
