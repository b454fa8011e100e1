#if PostgreSQL
import Basics
package import DatastoreCore
package import DatastoreSQL

extension PostgreSQLStatement {
  /// A statement of the query builder's.
  ///
  /// - Parameters:
  ///   - parameters: the values that are bound each time (`\(parameter: n)`), in order.
  ///   - isKept: whether the server keeps its plan.
  /// - Throws: `StoreError.unsupportedPredicate` for what PostgreSQL cannot say.
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

  /// The same with tables that are read beside the first one read by themselves: what a server that keeps
  /// tables on several machines answers where it does not join them. Nil where there is one table.
  var fenced: PostgreSQLStatement? {
    fences.map {
      PostgreSQLStatement(
        $0.rendered(in: PostgreSQLDialect(), isFenced: true).text, parameters, isKept: isKept)
    }
  }
}
#endif
