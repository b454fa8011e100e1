import Basics
package import DatastoreCore

/// Values of a query's objects instead of the objects, with a row of type `Row` for each. Made by
/// `select(_:)` of a query or of its groups.
///
/// ```swift
/// let names = From<Employee>().where(\.$salary > 3000).select(\.$name, \.$salary)
/// for (name, salary) in try context.rows(names) { … }
/// ```
///
/// Rows come from saved data: unsaved changes do not count. Sendable and Hashable, like the query.
public struct Selection<T: DatastoreObject, Row>: Sendable {
  /// The objects, and the order of the rows made from them.
  var request: FetchRequest
  /// The columns of a row in the store: first the keys of the groups, if any.
  let columns: [QueryColumn.Term]
  /// The values that the objects of a group share; nil if there is a row for each object.
  let groupKeys: [QueryColumn.Term]?
  let having: [ValueQuery.GroupCondition]
  let groupOrder: [ValueQuery.GroupOrder]
  /// The part of the matching objects that one row is computed from; nil for all of them.
  private var window: ValueQuery.Window?
  var isDistinct = false
  let read: @Sendable (SelectedRow) throws -> Row

  package init(
    request: FetchRequest, columns: [QueryColumn.Term], groupKeys: [QueryColumn.Term]?,
    having: [ValueQuery.GroupCondition], groupOrder: [ValueQuery.GroupOrder],
    read: @escaping @Sendable (SelectedRow) throws -> Row
  ) {
    self.request = request
    self.columns = columns
    self.groupKeys = groupKeys
    self.having = having
    self.groupOrder = groupOrder
    self.read = read
  }

  /// One row that is computed from all objects of a request. With an offset or a limit, the order decides
  /// which objects these are; otherwise it has no effect.
  package init(
    computing columns: [QueryColumn.Term], of request: FetchRequest,
    read: @escaping @Sendable (SelectedRow) throws -> Row
  ) {
    var all = request
    (all.sortDescriptors, all.offset, all.limit) = ([], 0, 0)
    self.init(
      request: all, columns: columns, groupKeys: [], having: [], groupOrder: [], read: read)
    window = ValueQuery.Window(request)
  }
}

/// Clauses, like those of a query. Each returns a selection with the clause, and leaves this one unchanged.
extension Selection {
  /// Keeps only objects that meet the condition, besides the conditions of earlier calls.
  ///
  /// - Parameter condition: the condition.
  public func `where`(_ condition: Where<T>) -> Selection {
    changed { $0.request = From<T>($0.request).where(condition).request }
  }

  /// Adds keys to the order of the rows, less significant than those of earlier calls. Distinct rows and
  /// groups can be ordered only by their own values; any other key traps when the rows are read. The single
  /// row computed from all objects has no order.
  ///
  /// - Parameter keys: the keys of the order, the most significant first.
  public func orderBy(_ keys: OrderBy<T>...) -> Selection {
    changed { $0.request.sortDescriptors += keys.map(\.sortDescriptor) }
  }

  /// Skips rows at the start.
  ///
  /// - Parameter count: the number of rows to skip.
  public func offset(_ count: Int) -> Selection { changed { $0.request.offset = count } }

  /// Limits the number of rows; 0 means no limit.
  ///
  /// - Parameter count: the greatest number of rows.
  public func limit(_ count: Int) -> Selection { changed { $0.request.limit = count } }

  /// Returns each row once, however many objects have those values; by ascending values unless they are
  /// ordered.
  public func distinct() -> Selection { changed { $0.isDistinct = true } }

  private func changed(_ change: (inout Selection) -> Void) -> Selection {
    var selection = self
    change(&selection)
    return selection
  }
}

/// Selections are equal when they ask for the same; the way of reading rows follows from that and the types.
extension Selection: Hashable {
  public static func == (left: Selection, right: Selection) -> Bool {
    left.request == right.request && left.columns == right.columns
      && left.groupKeys == right.groupKeys && left.having == right.having
      && left.groupOrder == right.groupOrder && left.window == right.window
      && left.isDistinct == right.isDistinct
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(request)
    hasher.combine(columns)
    hasher.combine(groupKeys)
    hasher.combine(having)
    hasher.combine(groupOrder)
    hasher.combine(window)
    hasher.combine(isDistinct)
  }
}

extension Selection {
  /// The values that identify a row, unless each object has one.
  private var keys: [QueryColumn.Term]? { groupKeys ?? (isDistinct ? columns : nil) }

  /// The order of groups or distinct rows.
  private func order(of keys: [QueryColumn.Term]) -> [ValueQuery.GroupOrder] {
    if keys.isEmpty { return [] }
    let order =
      groupOrder
      + request.sortDescriptors.map {
        ValueQuery.GroupOrder(
          .value($0.operand), isAscending: $0.ascending, options: $0.options)
      }
    return order.map { one in
      guard !one.term.isAggregate, !keys.contains(one.term) else { return one }
      if case .value(.keyPath(let path)) = one.term, keys.contains(.key(path)) {
        return ValueQuery.GroupOrder(
          .key(path), isAscending: one.isAscending, options: one.options)
      }
      trap(
        "rows of \(T.self) cannot be ordered by \(one.term): groups and distinct rows are ordered by what they "
          + "share (\(keys.map(\.description).joined(separator: ", "))) or by aggregates")
    }
  }

  /// The query for the engine.
  func query(from entity: Entity, in schema: Schema) -> ValueQuery {
    guard let keys else {
      return ValueQuery(columns, of: request, from: entity, in: schema)
    }
    return ValueQuery(
      columns, of: request, groupedBy: keys, having: having, orderedBy: order(of: keys),
      window: window, from: entity, in: schema)
  }

  /// The parts of the query as text.
  package var text: ValueQueryText {
    var text = ValueQueryText(request)
    func list(_ parts: [some CustomStringConvertible], _ separator: String = ", ") -> String? {
      parts.isEmpty ? nil : parts.map(\.description).joined(separator: separator)
    }
    text.columns = list(columns)
    guard let keys else { return text }
    text.groupBy = list(keys)
    text.having = list(having, " AND ")
    text.order = list(order(of: keys))
    return text
  }
}

extension Selection: CustomStringConvertible {
  /// The query in the format language:
  /// `SELECT name, salary FROM Employee WHERE salary > 3000.0 ORDER BY name`.
  public var description: String {
    text.statement(
      from: request.entity, among: window, offset: request.offset, limit: request.limit)
  }
}
