/// A table, view, index or trigger whose statement in one database differs from that in another.
package struct DefinitionDifference: Sendable, Hashable {
  /// `table`, `view`, `index` or `trigger`.
  package let kind: String
  package let name: String
  /// The table or view to which it belongs, or which it is.
  package let table: String
  /// The older statement; nil if it is new.
  package let old: String?
  /// The newer statement; nil if it is removed.
  package let new: String?

  package init(kind: String, name: String, table: String, old: String?, new: String?) {
    self.kind = kind
    self.name = name
    self.table = table
    self.old = old
    self.new = new
  }

  /// Whether one of these changes says that the table is new, removed or called otherwise, and thus that what
  /// belongs to it is.
  package func isSaid(by changes: [SchemaChange]) -> Bool {
    if old != nil, new != nil { return false }
    return changes.contains { $0.property == nil && $0.entity == table }
  }
}

extension DefinitionDifference: CustomStringConvertible {
  /// A sentence without its full stop, and without the statements.
  package var description: String {
    let subject = kind == "table" || kind == "view" ? name : "the \(kind) \(name)"
    return switch (old, new) {
    case (nil, _): "\(subject) is new"
    case (_, nil): "\(subject) is removed"
    case (_, _): "the definition of \(subject) differs"
    }
  }
}
