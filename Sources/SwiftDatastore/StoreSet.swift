import DatastoreCore
import Foundation

/// The stores of a datastore that was opened with `stores:`. More can be added.
final class StoreSet: Sendable {
  let engine: CompositeStore
  let version: any DynamicSchema
  private let options: SwiftDatastore.Options
  /// In the order in which they were added.
  private let added = Lock<[StoreDescription]>([])
  /// Held while a store is opened, so that no store is opened twice.
  private let addition = NSLock()

  init(_ version: any DynamicSchema, _ options: SwiftDatastore.Options) {
    engine = CompositeStore(version.schema)
    self.version = version
    self.options = options
  }

  var stores: [StoreDescription] { added.withLock { $0 } }

  /// Opens all stores or none.
  ///
  /// - Throws: `SchemaError` with every reason why the model cannot be divided like this; `StoreError`,
  ///   `MigrationError`. All stores are closed then.
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

  /// Opens one more store. Does nothing if it was added before.
  ///
  /// - Throws: like `open(_:_:)`; the other stores stay open.
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

  /// Ignores errors: if the files cannot be read, the first fetch or save reports why.
  private func reportIncompleteSaves() {
    let log = EventLog(options.logger, path: nil)
    guard log.isLogging(.warning) else { return }
    for save in (try? engine.incompleteSaves()) ?? [] {
      log(.warning, .foundIncompleteSave(save))
    }
  }
}

extension StoreDescription {
  /// Whether both URLs name the same file, maybe by different names: opening a file twice would damage it.
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
