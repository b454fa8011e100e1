package import Foundation

/// A store that someone looks after.
package protocol MaintainedStore: ObjectStore {
  /// The file; nil for a store that is in none.
  var url: URL? { get }

  /// Ends its use; reading and saving throw `StoreError.closed` from now on. Does nothing the second time.
  ///
  /// - Throws: `StoreError`.
  func close() throws

  /// Copies the store as it is now into a new file, while it is in use.
  ///
  /// - Throws: `StoreError.fileExists` rather than replacing a file; other `StoreError`s. Nothing is left of
  ///   a copy that fails.
  func backUp(to url: URL) throws

  /// Reads the whole store and lists what is wrong with it, in words. O(store).
  ///
  /// - Throws: `StoreError` when it cannot be read at all.
  func integrityFaults() throws -> [String]

  /// Moves what was saved lately to where the rest is, as far as readers allow.
  ///
  /// - Returns: whether all of it was moved.
  /// - Throws: `StoreError`.
  func checkpoint() throws -> Bool

  /// Makes tables for entities with attributes only. This store does not know them; open it again.
  ///
  /// - Throws: `StoreError`; nothing is changed then.
  func addEntities(_ descriptions: [EntityDescription]) throws

  /// Indexes the attributes by which objects of other entities seem to refer, by their names, where no value
  /// is there twice, so that such relationships can be suggested, and followed.
  ///
  /// - Throws: `StoreError`; nothing is changed then.
  func indexReferencedColumns() throws

  /// Removes entities that `addEntities` has made, if they have no rows.
  ///
  /// - Throws: `StoreError`; nothing is changed then.
  func removeEmptyEntities(_ names: [String]) throws
}
