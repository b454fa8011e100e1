/// A kind of work of which one piece runs at a time.
///
/// A feature declares its lanes beside its effects:
///
/// ```swift
/// extension Lane {
///   static let summary = Lane("summary", .latest)
/// }
/// ```
struct Lane: Hashable, Sendable {
  /// What becomes of the work that runs when more of the kind comes.
  enum Order: Hashable, Sendable {
    /// It is cancelled: only the latest answer is wanted.
    case latest
    /// It ends first.
    case inOrder
  }

  /// What becomes of the work that runs when the browser is left.
  enum AtEnd: Hashable, Sendable {
    /// It is cancelled; its result is not used.
    case abandoned
    /// It is cancelled and waited for, since it may be writing.
    case cancelled
    /// It is done to its end.
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
