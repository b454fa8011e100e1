public import SwiftDatastore

/// CoreStore's names for importing. Each function does what the one does that it names: `source` and `sourceArray` are what
/// objects are made from, and what a class passes over is nil or left out. An error undoes the whole call; what the
/// class has thrown is thrown as it is, not as an `ImportFault`.
extension ObjectContext {
  /// Makes an object from a source: `importObject(_:from:)`.
  @discardableResult
  public func importObject<O: ImportableObject>(
    _ into: Into<O>, source: O.ImportSource
  ) throws -> O? { try imported(into) { try importObject(O.self, from: source) } }

  /// Gives an object the values of a source: `importObject(_:from:)`.
  public func importObject<O: ImportableObject>(_ object: O, source: O.ImportSource) throws {
    try asThrown { try importObject(object, from: source) }
  }

  /// Makes an object from each source: `importObjects(_:from:)`.
  @discardableResult
  public func importObjects<O: ImportableObject>(
    _ into: Into<O>, sourceArray: some Sequence<O.ImportSource>
  ) throws -> [O] { try imported(into) { try importObjects(O.self, from: sourceArray) } }

  /// Updates the object that a source is about, or makes it: `importUniqueObject(_:from:)`.
  @discardableResult
  public func importUniqueObject<O: ImportableUniqueObject>(
    _ into: Into<O>, source: O.ImportSource
  ) throws -> O? { try imported(into) { try importUniqueObject(O.self, from: source) } }

  /// Updates the objects that sources are about, and makes those that are not there: `importUniqueObjects(_:from:)`.
  @discardableResult
  public func importUniqueObjects<O: ImportableUniqueObject>(
    _ into: Into<O>, sourceArray: some Sequence<O.ImportSource>,
    preProcess: ((_ sources: O.SourcesByID) throws -> O.SourcesByID)? = nil
  ) throws -> [O] {
    try imported(into) {
      try importUniqueObjects(O.self, from: sourceArray, preProcess: preProcess)
    }
  }
}

extension ObjectContext {
  private func imported<O, Result>(_ into: Into<O>, _ body: () throws -> Result) throws -> Result {
    try asThrown { try into.stores.map { try assigning(to: $0, body) } ?? body() }
  }
}

private func asThrown<Result>(_ body: () throws -> Result) throws -> Result {
  do {
    return try body()
  } catch let fault as ImportFault {
    throw fault.thrownError ?? fault
  }
}
