/// The cost of a change of a model, and its risk for existing data: the greatest of its changes counts.
public enum MigrationKind: Int, Sendable, Hashable, Comparable, Codable, CustomStringConvertible {
  /// Nothing to do.
  case none
  /// Only the description in the file is rewritten; no table is touched.
  case metadata
  /// Tables and columns are added or renamed, and no row is touched.
  case instant
  /// Rows are written, and every value is kept.
  case lossless
  /// Rows are written if every value fits.
  case checked
  /// Data that may exist is dropped.
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
