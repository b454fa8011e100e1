public import DatastoreCore

/// A condition on the objects of one class.
///
/// ```swift
/// \.$age > 30 && (\.$name ^= "T")
/// \.$position == .developer || !(\.$company == nil)
/// 20...30 ~= \.$age && ["Tom", "Eve"] ~= \.$name
/// \.$company ~ \.$name == "Initech" && \.$tasks.count > 3
/// (\.$name ?= "ÅKE").ignoringCase().ignoringDiacritics()
/// .like(\.$name, "T?m*") || .matches(\.$phone, "[0-9 ]+")
/// ```
///
/// `==`, `!=` and `~=` with a list treat a missing value as a value of its own: `\.$phone != "1"` is true for
/// objects without a phone; all other comparisons are false for them. Text is compared by its UTF-8 bytes
/// unless options say otherwise. `true` and `false` are conditions, too.
public struct Where<T: DatastoreObject>: Sendable, Hashable {
  /// The condition as a tree of property names.
  public let predicate: Predicate

  /// A condition from a tree.
  public init(_ predicate: Predicate) {
    self.predicate = predicate
  }

  /// A condition that is always or never true.
  public init(_ holds: Bool) {
    self.init(.constant(holds))
  }
}

extension Where: ExpressibleByBooleanLiteral {
  public init(booleanLiteral holds: Bool) {
    self.init(.constant(holds))
  }
}

extension Where: CustomStringConvertible {
  /// The condition in the format language, which `init(format:arguments:in:)` reads.
  public var description: String { predicate.description }
}
