/// Writes that a store knows to fail, and the reasons.
///
/// Triggers and indexes of another program may call functions that only that program has.
public struct RefusedWrites: Sendable, Hashable, Codable {
  /// The reason why no object can be created: the end of a sentence. nil if no reason is known.
  public internal(set) var inserting: String?
  /// The reason why no object can be deleted.
  public internal(set) var deleting: String?
  /// The reasons why properties cannot be changed, by their names.
  public internal(set) var updating: [String: String]

  package init(
    inserting: String? = nil, deleting: String? = nil, updating: [String: String] = [:]
  ) {
    self.inserting = inserting
    self.deleting = deleting
    self.updating = updating
  }
}
