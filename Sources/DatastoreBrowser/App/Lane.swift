/// A kind of work of which only one piece runs at a time.
///
/// A feature declares its lanes beside its effects, or in the effect if no other uses the lane:
///
/// ```swift
/// extension Lane {
///   static let summary = Lane("summary", .latest)
/// }
/// ```
struct Lane: Hashable, Sendable {
  /// What happens to running work when more of the kind is started.
  enum Order: Hashable, Sendable {
    /// The running work is cancelled: only the latest answer counts.
    case latest
    /// The running work ends first.
    case inOrder
  }

  /// What happens to running work when the browser is left.
  enum AtEnd: Hashable, Sendable {
    /// The work is cancelled, and its result is not used.
    case abandoned
    /// The work is cancelled and waited for, since it may be writing.
    case cancelled
    /// The work is completed.
    case completed
  }

  let name: String
  let order: Order
  let atEnd: AtEnd

  init(_ name: String, _ order: Order, atEnd: AtEnd = .abandoned) {
    self.name = name
    self.order = order
    self.atEnd = atEnd
  }

  /// Names are unique.
  static func == (left: Lane, right: Lane) -> Bool { left.name == right.name }

  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
