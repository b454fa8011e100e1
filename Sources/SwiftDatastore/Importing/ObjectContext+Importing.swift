import Basics
import DatastoreCore

/// Importing objects without an identifier: each source makes a new one.
extension ObjectContext {
  /// Makes an object from a source; nil if the class skips the source.
  ///
  /// ```swift
  /// let visit = try context.importObject(Visit.self, from: line)
  /// ```
  ///
  /// - Parameters:
  ///   - type: the class.
  ///   - source: the source of the object.
  /// - Returns: the new object, staged like any other.
  /// - Throws: the errors of the class and of `createObject()`; nothing of it is staged then.
  @discardableResult
  public func importObject<T: ImportableObject>(
    _ type: T.Type = T.self, from source: T.ImportSource
  ) throws -> T? {
    try core.graph.staging { try insert(source) }
  }

  /// Sets the values of a source on an object, with `didInsert(from:in:)`, unless the class skips the source.
  ///
  /// - Parameters:
  ///   - object: an object of this context.
  ///   - source: the source of the values.
  /// - Throws: the errors of the class; the object is unchanged then.
  public func importObject<T: ImportableObject>(_ object: T, from source: T.ImportSource) throws {
    guard Swift.type(of: object).shouldInsert(from: source, in: self) else { return }
    try core.graph.staging { try object.didInsert(from: source, in: self) }
  }

  /// Makes an object from each source.
  ///
  /// An error undoes the whole call: earlier staged changes stay staged, and nothing of the import is. With
  /// undo on, an import is one step of it.
  ///
  /// A transaction whose task was cancelled ends the import with `CancellationError`.
  ///
  /// - Parameters:
  ///   - type: the class.
  ///   - sources: the sources of the objects; read one at a time.
  ///   - batchSize: the number of sources after which to save, for imports that are too long to be staged as
  ///     a whole; nil saves nothing. Saved batches stay saved when a later source throws.
  ///   - progress: called after every 1,000 sources and at the end; may throw to end the import.
  /// - Returns: the objects, in the order of their sources, without those that were skipped.
  /// - Throws: `ImportFault`, which names the source and contains the error of the class;
  ///   `CancellationError`; the errors of `progress` and `saveChanges()`.
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
  /// Imports in batches, each of which is staged as a whole, and saved if there may be several.
  ///
  /// - Parameter body: imports up to a number of records; returns false when there are no more.
  func importBatches(of size: Int?, _ body: (Int) throws -> Bool) throws {
    require(
      size ?? 1 > 0, "an import was to save after every \(size ?? 0) objects; that takes at least 1"
    )
    while try core.graph.staging({ try body(size ?? .max) }) {
      if size != nil { try saveChanges() }
    }
    if size != nil { try saveChanges() }
  }

  /// - Throws: `ImportFault` in place of the error of `body`, unless that is a cancellation.
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
