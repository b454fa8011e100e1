/// What a store knows in advance: that saving an entity would fail, and why.
///
/// Triggers and indexes that another program made may call functions which only that program has.
public struct RefusedWrites: Sendable, Hashable, Codable {
  /// Why no object can be created: the end of a sentence. nil where nothing is known to be in the way.
  public internal(set) var inserting: String?
  /// Why no object can be deleted.
  public internal(set) var deleting: String?
  /// Why a property cannot be changed, by its name.
  public internal(set) var updating: [String: String]

  package init(
    inserting: String? = nil, deleting: String? = nil, updating: [String: String] = [:]
  ) {
    self.inserting = inserting
    self.deleting = deleting
    self.updating = updating
  }
}
