import Basics
import DatastoreCore

/// Importing objects that have no identifier: each source makes a new one.
extension ObjectContext {
  /// Makes an object from a source; nil where the class passes the source over.
  ///
  /// ```swift
  /// let visit = try context.importObject(Visit.self, from: line)
  /// ```
  ///
  /// - Parameters:
  ///   - type: the class.
  ///   - source: what the object is made from.
  /// - Returns: the new object, staged like any other.
  /// - Throws: what the class throws, and what `createObject()` throws; nothing of it is staged then.
  @discardableResult
  public func importObject<T: ImportableObject>(
    _ type: T.Type = T.self, from source: T.ImportSource
  ) throws -> T? {
    try core.graph.staging { try insert(source) }
  }

  /// Gives an object the values of a source, by `didInsert(from:in:)`, unless the class passes the source
  /// over.
  ///
  /// - Parameters:
  ///   - object: an object of this context.
  ///   - source: the source of the values.
  /// - Throws: what the class throws; the object is as it was then.
  public func importObject<T: ImportableObject>(_ object: T, from source: T.ImportSource) throws {
    guard Swift.type(of: object).shouldInsert(from: source, in: self) else { return }
    try core.graph.staging { try object.didInsert(from: source, in: self) }
  }

  /// Makes an object from each source.
  ///
  /// An error undoes the whole call: what was staged before stays staged, and nothing of the import is. With
  /// undo on, an import is one step of it.
  ///
  /// A transaction whose task was cancelled ends the import with `CancellationError`.
  ///
  /// - Parameters:
  ///   - type: the class.
  ///   - sources: what the objects are made from; read one at a time.
  ///   - batchSize: after how many sources to save, for imports that are too long to be staged as a whole;
  ///     nil saves nothing. What was saved stays saved when a later source throws.
  ///   - progress: called after every 1,000 sources and at the end; may throw to end the import.
  /// - Returns: the objects, in the order of their sources, without those that were passed over.
  /// - Throws: `ImportFault`, which names the source and has what the class has thrown; `CancellationError`;
  ///   what `progress` and `saveChanges()` throw.
  @discardableResult
  public func importObjects<T: ImportableObject>(
    _ type: T.Type = T.self, from sources: some Sequence<T.ImportSource>,
    savingEvery batchSize: Int? = nil,
    progress: ((ImportProgress) throws -> Void)? = nil
  ) throws -> [T] {
    var objects: [T] = []
    var counter = ImportCounter(sources, report: progress, isStopped: core.isStopped)
    var sources = sources.makeIterator()
    try importBatches(of: batchSize) { count in
      for _ in 0..<count {
        guard let source = sources.next() else {
          try counter.end()
          return false
        }
        let object: T? = try naming(T.self, counter.completed, nil) { try insert(source) }
        if let object { objects.append(object) }
        try counter.add()
      }
      return true
    }
    return objects
  }

  private func insert<T: ImportableObject>(_ source: T.ImportSource) throws -> T? {
    guard T.shouldInsert(from: source, in: self) else { return nil }
    let object: T = try createObject()
    try object.didInsert(from: source, in: self)
    return object
  }
}

extension ObjectContext {
  /// Imports in batches that are staged as a whole each, and saved if there may be several.
  ///
  /// - Parameter body: imports so many records; false when there are no more.
  func importBatches(of size: Int?, _ body: (Int) throws -> Bool) throws {
    require(
      size ?? 1 > 0, "an import was to save after every \(size ?? 0) objects; that takes at least 1"
    )
    while try core.graph.staging({ try body(size ?? .max) }) {
      if size != nil { try saveChanges() }
    }
    if size != nil { try saveChanges() }
  }

  /// - Throws: `ImportFault` in the place of what `body` throws, unless it is cancelled.
  func naming<T: ImportableObject, Result>(
    _ type: T.Type, _ index: Int?, _ id: Value?, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as CancellationError {
      throw error
    } catch {
      throw ImportFault(
        entityName: T.entityName, index: index, uniqueID: id, reason: .thrown(error))
    }
  }
}
