public import SwiftDatastore

/// What a tweak may say of a query. Nil leaves it as it is.
public struct TweakedRequest: Sendable {
  /// Whether changes that are staged in the context decide which objects are found.
  public var includesPendingChanges: Bool?
  /// Whether objects of classes that inherit from the class are found, too.
  public var includesSubentities: Bool?
  /// How many objects are left out at the start.
  public var fetchOffset: Int?
  /// The greatest number of objects; 0 means no limit.
  public var fetchLimit: Int?
}

extension From {
  /// The query with further settings, each of which has a clause of its own in SwiftDatastore.
  ///
  /// ```swift
  /// From<Person>().where(\.$age > 30).tweak { $0.includesPendingChanges = false }
  /// ```
  ///
  /// Runs at once, not when the objects are fetched. What only tells Core Data how to work (`returnsObjectsAsFaults`,
  /// `fetchBatchSize`) is not there.
  ///
  /// - Parameter change: sets what is to be otherwise.
  public func tweak(_ change: (inout TweakedRequest) -> Void) -> From {
    var request = TweakedRequest()
    change(&request)
    var query = self
    if let value = request.includesPendingChanges { query = query.includingPendingChanges(value) }
    if let value = request.includesSubentities { query = query.includingSubentities(value) }
    if let value = request.fetchOffset { query = query.offset(value) }
    if let value = request.fetchLimit { query = query.limit(value) }
    return query
  }
}
