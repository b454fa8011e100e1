import DatastoreCore
import Foundation

/// The stores of a datastore that was opened with `stores:`, and adding one to them.
final class StoreSet: Sendable {
  let engine: CompositeStore
  let version: any DynamicSchema
  private let options: SwiftDatastore.Options
  /// In the order in which they were added.
  private let added = Lock<[StoreDescription]>([])
  /// Held while one is opened, so that none is opened twice.
  private let addition = NSLock()

  init(_ version: any DynamicSchema, _ options: SwiftDatastore.Options) {
    engine = CompositeStore(version.schema)
    self.version = version
    self.options = options
  }

  var stores: [StoreDescription] { added.withLock { $0 } }

  /// Opens stores, or none of them.
  ///
  /// - Throws: `SchemaError` with everything that keeps the model from being divided like this; `StoreError`,
  ///   `MigrationError`. All are closed then.
  func open(_ stores: [StoreDescription], _ request: (URL) -> MigrationRequest) throws {
    try version.schema.requireStores(of: Set(stores.compactMap(\.configuration)).sorted())
    do {
      for store in stores { try add(store, request) }
      reportIncompleteSaves()
    } catch {
      // The first error is the one to report.
      try? engine.close()
      throw error
    }
  }

  /// Opens one more. Does nothing where it was added before.
  ///
  /// - Throws: as above; the others stay as they are.
  func addLater(_ store: StoreDescription, _ request: (URL) -> MigrationRequest) throws {
    if try add(store, request) { reportIncompleteSaves() }
  }

  @discardableResult
  private func add(
    _ store: StoreDescription, _ request: (URL) -> MigrationRequest
  ) throws -> Bool {
    try addition.withLock {
      if stores.contains(store) { return false }
      if let url = store.url, let former = stores.first(where: { $0.isSameFile(as: url) }) {
        if former.configuration == store.configuration, former.isReadOnly == store.isReadOnly {
          return false
        }
        throw StoreError.otherConfiguration(
          path: url.path, configuration: former.configuration, wanted: store.configuration)
      }
      let part = try version.schema.part(store.configuration)
      let entities = version.schema.entities(of: store.configuration) ?? []
      let opened = try opened(store, part, entities, request)
      do {
        try engine.add(opened, holding: entities, as: store)
      } catch {
        try? opened.close()
        throw error
      }
      added.withLock { $0.append(store) }
      return true
    }
  }

  private func opened(
    _ store: StoreDescription, _ part: Schema, _ entities: [Entity],
    _ request: (URL) -> MigrationRequest
  ) throws -> any CompositeStore.Member {
    guard let url = store.url else {
      return try SwiftDatastore.memory(of: part, within: version.schema, options: options)
    }
    var migration = request(url)
    let values = ModelTypes(version: version).initialValues
    migration.initialValues = ByEntity(entities.map { values[$0.index] })
    return try SwiftDatastore.file(
      of: part, within: version.schema, at: url, readOnly: store.isReadOnly, options: options,
      migration: migration)
  }

  /// Where it cannot be found out, the first fetch or save says why.
  private func reportIncompleteSaves() {
    let log = EventLog(options.logger, path: nil)
    guard log.isLogging(.warning) else { return }
    for save in (try? engine.incompleteSaves()) ?? [] {
      log(.warning, .foundIncompleteSave(save))
    }
  }
}

extension StoreDescription {
  /// Whether it is the file of that place, maybe by another name of it: opened twice, it would be damaged.
  fileprivate func isSameFile(as other: URL) -> Bool {
    guard let url else { return false }
    if url == other { return true }
    func number(_ url: URL) -> [Int]? {
      guard let attributes = try? FileManager.default.attributesOfItem(atPath: url.path),
        let device = attributes[.systemNumber] as? Int,
        let number = attributes[.systemFileNumber] as? Int
      else { return nil }
      return [device, number]
    }
    return number(url).map { $0 == number(other) } ?? false
  }
}
