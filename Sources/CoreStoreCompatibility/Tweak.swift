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
  /// Makes no difference here, as objects come with their values.
  public var returnsObjectsAsFaults: Bool?
  /// Makes no difference here, as lists hold keys.
  public var fetchBatchSize: Int?
}

/// Further settings of a query as a clause, each of which has a clause of its own in SwiftDatastore.
///
/// ```swift
/// Tweak { fetchRequest in fetchRequest.includesPendingChanges = false }
/// ```
public struct Tweak: FetchClause {
  /// What is set.
  public let closure: @Sendable (inout TweakedRequest) -> Void

  /// Runs just before the objects are fetched, and sets what is to be otherwise.
  public init(_ customizer: @escaping @Sendable (inout TweakedRequest) -> Void) {
    closure = customizer
  }

  public func applied<O: DatastoreObject>(to query: From<O>) -> From<O> { query.tweaked(closure) }
}

extension From {
  func tweaked(_ change: (inout TweakedRequest) -> Void) -> From {
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
