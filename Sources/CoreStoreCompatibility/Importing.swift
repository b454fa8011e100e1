public import SwiftDatastore

/// CoreStore's names for importing. An error undoes the whole call.
extension ObjectContext {
  /// Makes an object from a source: `importObject(_:from:)`.
  ///
  /// - Parameters:
  ///   - into: its class.
  ///   - source: what it is made from.
  /// - Returns: the object; nil where the class passes the source over.
  /// - Throws: what the class throws; `StoreError`.
  @discardableResult
  public func importObject<O: ImportableObject>(
    _ into: Into<O>, source: O.ImportSource
  ) throws -> O? {
    try importObject(O.self, from: source)
  }

  /// Gives an object the values of a source: `importObject(_:from:)`.
  ///
  /// - Parameters:
  ///   - object: an object of this context.
  ///   - source: where the values come from.
  /// - Throws: what the class throws; `StoreError`.
  public func importObject<O: ImportableObject>(_ object: O, source: O.ImportSource) throws {
    try importObject(object, from: source)
  }

  /// Makes an object from each source: `importObjects(_:from:)`.
  ///
  /// - Parameters:
  ///   - into: their class.
  ///   - sourceArray: what they are made from.
  /// - Returns: the objects, without those of sources that the class passes over.
  /// - Throws: what the class throws; `StoreError`.
  @discardableResult
  public func importObjects<O: ImportableObject>(
    _ into: Into<O>, sourceArray: some Sequence<O.ImportSource>
  ) throws -> [O] {
    try importObjects(O.self, from: sourceArray)
  }

  /// Updates the object that a source is about, or makes it: `importUniqueObject(_:from:)`.
  ///
  /// - Parameters:
  ///   - into: its class.
  ///   - source: where the values come from.
  /// - Returns: the object; nil where the class passes the source over.
  /// - Throws: what the class throws; `StoreError`.
  @discardableResult
  public func importUniqueObject<O: ImportableUniqueObject>(
    _ into: Into<O>, source: O.ImportSource
  ) throws -> O? {
    try importUniqueObject(O.self, from: source)
  }

  /// Updates the objects that sources are about, and makes those that are not there: `importUniqueObjects(_:from:)`.
  ///
  /// - Parameters:
  ///   - into: their class.
  ///   - sourceArray: where the values come from.
  ///   - preProcess: is given all sources by their identifiers, and returns those that are to be imported.
  /// - Returns: the objects, without those of sources that the class passes over.
  /// - Throws: what the class or `preProcess` throws; `StoreError`.
  @discardableResult
  public func importUniqueObjects<O: ImportableUniqueObject>(
    _ into: Into<O>, sourceArray: some Sequence<O.ImportSource>,
    preProcess: ((_ sources: O.SourcesByID) throws -> O.SourcesByID)? = nil
  ) throws -> [O] {
    try importUniqueObjects(O.self, from: sourceArray, preProcess: preProcess)
  }
}
