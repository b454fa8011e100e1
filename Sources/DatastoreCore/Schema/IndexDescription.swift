/// An index over several properties of an entity, as a value.
public struct IndexDescription: Sendable, Hashable, Codable {
  /// One of its properties.
  public struct Column: Sendable, Hashable, Codable {
    /// The name of an attribute or a to-one relationship.
    public var property: String
    /// Whether great values come first.
    public var isDescending: Bool

    /// A property and its direction.
    public init(_ property: String, isDescending: Bool = false) {
      self.property = property
      self.isDescending = isDescending
    }
  }

  /// In the order of the index.
  public var columns: [Column]

  /// An index over properties.
  public init(_ columns: [Column]) {
    self.columns = columns
  }
}
