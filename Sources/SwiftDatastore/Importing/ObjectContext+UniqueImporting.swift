import Basics
import DatastoreCore

/// Importing objects with an identifier.
extension ObjectContext {
  /// Updates the object of a source, or makes it if it does not exist; nil if the class skips the source.
  /// Staged objects are found, too.
  ///
  /// ```swift
  /// let product = try context.importUniqueObject(Product.self, from: source)
  /// ```
  ///
  /// - Parameters:
  ///   - type: the class.
  ///   - source: the source of the values.
  /// - Returns: the object, staged like any other.
  /// - Throws: the errors of the class, `fetch` and `createObject()`; nothing of it is staged then.
  @discardableResult
  public func importUniqueObject<T: ImportableUniqueObject>(
    _ type: T.Type = T.self, from source: T.ImportSource
  ) throws -> T? {
    try core.graph.staging {
      guard let id = try T.uniqueID(from: source, in: self) else { return nil }
      var known = try KnownObjects<T>(in: core)
      try known.lookUp([id])
      return try importUnique(source, id, known)
    }
  }

  /// Updates the objects of sources, and creates those that do not exist. Staged objects are found, too.
  ///
  /// ```swift
  /// let products = try context.importUniqueObjects(Product.self, from: sources)
  /// ```
  ///
  /// Sources without an identifier are skipped. Of several sources with one identifier the last counts, in
  /// the place of the first. The identifier is set before `didInsert(from:in:)` is called.
  ///
  /// An error undoes the whole call: earlier staged changes stay staged, and nothing of the import is. With
  /// undo on, an import is one step of it.
  ///
  /// Objects are looked up by one query for each 10,000 identifiers, and staged ones by an index: the time is
  /// linear in the number of sources. A transaction whose task was cancelled ends the import with
  /// `CancellationError`.
  ///
  /// - Parameters:
  ///   - type: the class.
  ///   - sources: the sources of the values.
  ///   - batchSize: the number of objects after which to save, for imports that are too long to be staged as
  ///     a whole; nil saves nothing. Saved batches stay saved when a later source throws.
  ///   - preProcess: receives all sources by their identifiers before any is imported, and returns the
  ///     sources to import. It may leave some out, replace some, and add some; added ones come last, in the
  ///     order of their identifiers.
  ///   - progress: called after every 1,000 objects and at the end; may throw to end the import.
  /// - Returns: the objects, in the order of their sources, without those that were skipped.
  /// - Throws: `ImportFault`, which names the source and contains the error of the class;
  ///   `CancellationError`; the errors of `preProcess`, `progress` and `saveChanges()`.
  @discardableResult
  public func importUniqueObjects<T: ImportableUniqueObject>(
    _ type: T.Type = T.self, from sources: some Sequence<T.ImportSource>,
    savingEvery batchSize: Int? = nil,
    preProcess: ((_ sources: T.SourcesByID) throws -> T.SourcesByID)? = nil,
    progress: ((ImportProgress) throws -> Void)? = nil
  ) throws -> [T] {
    // Includes reading identifiers, during which a class may stage changes, too.
    try stagingAll(batchSize == nil) {
      try importSources(
        UniqueSources(T.self, sources, in: self, preparing: preProcess), savingEvery: batchSize,
        progress)
    }
  }

  /// Stages the changes of `body` as a whole if requested.
  private func stagingAll<Result>(_ isWhole: Bool, _ body: () throws -> Result) throws -> Result {
    isWhole ? try core.graph.staging(body) : try body()
  }

  private func importSources<T: ImportableUniqueObject>(
    _ sources: UniqueSources<T>, savingEvery batchSize: Int?,
    _ progress: ((ImportProgress) throws -> Void)?
  ) throws -> [T] {
    var objects: [T] = []
    var counter = ImportCounter(sources.records, report: progress, isStopped: core.isStopped)
    var known = try KnownObjects<T>(in: core)
    let records = sources.records
    objects.reserveCapacity(records.count)
    try importBatches(of: batchSize) { count in
      let start = counter.completed
      for place in start..<start + min(count, records.count - start) {
        if place % KnownObjects<T>.batchSize == 0 {
          try known.lookUp(records[place...].prefix(KnownObjects<T>.batchSize).map(\.id))
        }
        let record = records[place]
        let object = try naming(T.self, record.index, record.id.storedValue) {
          try importUnique(record.source, record.id, known)
        }
        if let object { objects.append(object) }
        try counter.add()
      }
      let isEnd = counter.completed == records.count
      if isEnd { try counter.end() }
      return !isEnd
    }
    return objects
  }

  private func importUnique<T: ImportableUniqueObject>(
    _ source: T.ImportSource, _ id: T.UniqueIDType, _ known: KnownObjects<T>
  ) throws -> T? {
    if let object = known.object(with: id) {
      guard type(of: object).shouldUpdate(from: source, in: self) else { return nil }
      try object.update(from: source, in: self)
      return object
    }
    guard T.shouldInsert(from: source, in: self) else { return nil }
    let object: T = try createObject()
    object.uniqueIDValue = id
    try object.didInsert(from: source, in: self)
    return object
  }
}

/// The sources to import, each identifier once.
private struct UniqueSources<T: ImportableUniqueObject> {
  struct Record {
    let id: T.UniqueIDType
    let source: T.ImportSource
    /// The index of the source among the given ones; nil for one that was added.
    let index: Int?
  }

  private(set) var records: [Record] = []

  /// - Parameter prepare: changes the sources before they are imported.
  /// - Throws: `ImportFault` for a source whose identifier cannot be read; the error of `prepare`.
  init(
    _ type: T.Type, _ sources: some Sequence<T.ImportSource>, in context: some ObjectContext,
    preparing prepare: ((T.SourcesByID) throws -> T.SourcesByID)?
  ) throws {
    records.reserveCapacity(sources.underestimatedCount)
    var places: [T.UniqueIDType: Int] = [:]
    places.reserveCapacity(sources.underestimatedCount)
    for (index, source) in sources.enumerated() {
      let id = try context.naming(T.self, index, nil) {
        try T.uniqueID(from: source, in: context)
      }
      guard let id else { continue }
      let record = Record(id: id, source: source, index: index)
      if let place = places[id] {
        records[place] = record
      } else {
        places[id] = records.count
        records.append(record)
      }
    }
    guard let prepare else { return }
    var left = try prepare(
      Dictionary(uniqueKeysWithValues: records.map { ($0.id, $0.source) }))
    records = records.compactMap { record in
      left.removeValue(forKey: record.id).map {
        Record(id: record.id, source: $0, index: record.index)
      }
    }
    records += left.map { Record(id: $0.key, source: $0.value, index: nil) }.sorted {
      Value.compare($0.id.storedValue, $1.id.storedValue) == .ascending
    }
  }
}

/// The objects of a class by their identifiers, stored and staged.
private struct KnownObjects<T: ImportableUniqueObject> {
  /// The number of identifiers that are looked up at once.
  static var batchSize: Int { 10_000 }

  private let graph: ObjectGraph
  private let entity: Entity
  private let slot: Slot
  /// The keys of the store for new objects; nil to find objects of all stores.
  private let keys: [ClosedRange<RowKey>]?
  private var stored: [T.UniqueIDType: T] = [:]

  /// Traps if the identifier is an attribute of another class.
  ///
  /// - Throws: `UnknownEntityError`.
  init(in core: ContextCore) throws {
    graph = core.graph
    let entity = try core.entity(of: T.self)
    self.entity = entity
    slot = T.uniqueIDKeyPath.slot
    keys = try core.assigned(for: entity).flatMap {
      try core.coordinator.store.keys(of: entity.index, in: $0)
    }
    require(
      T.uniqueIDKeyPath.belongs(T.self),
      "the uniqueIDKeyPath of \(T.self) is an attribute of another class")
  }

  /// Reads the objects with the given identifiers from the store, and discards those of the last call. Of
  /// several objects with one identifier, the first counts.
  mutating func lookUp(_ ids: [T.UniqueIDType]) throws {
    stored.removeAll(keepingCapacity: true)
    for object in try graph.storedObjects(of: entity, holding: ids.map(\.storedValue), at: slot) {
      guard let object = object as? T, !object.isKnownDeleted, isSought(object),
        let id = T.UniqueIDType(storedValue: object.value(at: slot)), stored[id] == nil
      else { continue }
      stored[id] = object
    }
  }

  /// The object with an identifier: a stored one that still has it, or one that is staged by now, maybe by
  /// the import itself.
  func object(with id: T.UniqueIDType) -> T? {
    if let object = stored[id], !object.isKnownDeleted,
      T.UniqueIDType(storedValue: object.value(at: slot)) == id
    {
      return object
    }
    return graph.stagedObjects(of: entity, holding: id.storedValue, at: slot)
      .first(where: isSought) as? T
  }

  private func isSought(_ object: ManagedObject) -> Bool {
    keys?.contains { $0.contains(object.key) } ?? true
  }
}
