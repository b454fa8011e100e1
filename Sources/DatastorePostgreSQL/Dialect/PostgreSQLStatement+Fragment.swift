#if PostgreSQL
import Basics
package import DatastoreCore
package import DatastoreSQL

extension PostgreSQLStatement {
  /// A statement of the query builder.
  ///
  /// - Parameters:
  ///   - parameters: the values that are bound each time (`\(parameter: n)`), in order.
  ///   - isKept: whether the server keeps its plan.
  /// - Throws: `StoreError.unsupportedPredicate` for a condition that PostgreSQL cannot express.
  package init(
    _ fragment: SQLFragment, _ parameters: [PostgreSQLParameter] = [], isKept: Bool = false
  ) throws(StoreError) {
    let (text, bindings) = try fragment.rendered(for: PostgreSQLDialect())
    var all = parameters
    for binding in bindings {
      switch binding {
      case .integer(let integer): all.append(.int8(integer))
      case .real(let real): all.append(.float8(real))
      case .text(let text): all.append(.text(text))
      case .blob(let data): all.append(.bytea(data))
      case .null: trap("NULL is written out")
      }
    }
    self.init(text, all, isKept: isKept)
    fences = fragment.readsSeveralTables ? fragment : nil
  }

  /// The statement with every table after the first one read in a subquery of its own: a server that keeps
  /// tables on several machines answers this form if it does not join them directly. Nil if there is one
  /// table.
  var fenced: PostgreSQLStatement? {
    fences.map {
      PostgreSQLStatement(
        $0.rendered(in: PostgreSQLDialect(), isFenced: true).text, parameters, isKept: isKept)
    }
  }
}
#endif
