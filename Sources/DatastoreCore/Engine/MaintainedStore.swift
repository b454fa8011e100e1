package import Foundation

/// A store that can be maintained.
package protocol MaintainedStore: ObjectStore {
  /// The file; nil for a store that is not a file.
  var url: URL? { get }

  /// Closes the store; reading and saving throw `StoreError.closed` from now on. Does nothing the second
  /// time.
  ///
  /// - Throws: `StoreError`.
  func close() throws

  /// Copies the current state of the store into a new file, while it is in use.
  ///
  /// - Throws: `StoreError.fileExists` rather than replacing a file; other `StoreError`s. A failed copy
  ///   leaves nothing behind.
  func backUp(to url: URL) throws

  /// Reads the whole store and describes its faults. O(store).
  ///
  /// - Throws: `StoreError` when it cannot be read at all.
  func integrityFaults() throws -> [String]

  /// Moves recent saves to the main storage, as far as readers allow.
  ///
  /// - Returns: whether all of it was moved.
  /// - Throws: `StoreError`.
  func checkpoint() throws -> Bool

  /// Creates tables for entities with attributes only. This store does not know them; open it again.
  ///
  /// - Throws: `StoreError`; nothing is changed then.
  func addEntities(_ descriptions: [EntityDescription]) throws

  /// Indexes the attributes that objects of other entities seem to refer to by their names, if their values
  /// are unique, so that such relationships can be suggested and followed.
  ///
  /// - Throws: `StoreError`; nothing is changed then.
  func indexReferencedColumns() throws

  /// Removes entities that `addEntities` created, if they have no rows.
  ///
  /// - Throws: `StoreError`; nothing is changed then.
  func removeEmptyEntities(_ names: [String]) throws
}
