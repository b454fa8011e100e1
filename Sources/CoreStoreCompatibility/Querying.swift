public import SwiftDatastore

/// What is selected, with its type in front.
extension From {
  /// An aggregate of all objects, or of the first ones in the order of a query with a limit or an offset:
  /// `select(Int.self, .maximum(\.$age))`. The type is that of the property, `Int` for a count, `Double` for an average, and
  /// `SumValue` of that of the property for a sum.
  public func select<Value>(
    _ type: Value.Type, _ aggregate: Aggregate<T, Value>
  ) -> Selection<T, Value?> { select(aggregate) }

  /// A value of each object: `select(Int.self, .attribute(\.$age))`. The type is that of the property.
  public func select<Value>(
    _ type: Value.Type, _ term: SelectTerm<T, Value>
  ) -> Selection<T, Value> { select(term) }
}

extension SelectTerm {
  /// A property of the object: `value(\.$name)`.
  public static func attribute<P: SelectableProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable
  ) -> SelectTerm where P.Selected == Result { .value(keyPath) }
}
