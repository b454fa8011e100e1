/// What a change of a model costs, and what it may cost those who have data: the greatest of its changes
/// counts.
public enum MigrationKind: Int, Sendable, Hashable, Comparable, Codable, CustomStringConvertible {
  /// Nothing is to be done.
  case none
  /// What the file says of itself is written, and no table is touched.
  case metadata
  /// Tables and columns are added or renamed, and no row is touched.
  case instant
  /// Rows are written, and every value is kept.
  case lossless
  /// Rows are written if every value fits.
  case checked
  /// Something that may hold values is dropped.
  case loss

  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  public var description: String {
    switch self {
    case .none: "nothing to do"
    case .metadata: "metadata"
    case .instant: "instant"
    case .lossless: "lossless"
    case .checked: "checked"
    case .loss: "loss"
    }
  }
}
