#if PostgreSQL
import DatastoreSQL

/// A statement with its values.
package struct PostgreSQLStatement: Sendable {
  package let text: String
  package let parameters: [PostgreSQLParameter]
  /// Whether the server keeps its plan under a name, since it will be asked again with other values.
  package let isKept: Bool
  /// The same with tables that are read beside the first one read by themselves: what a server that keeps
  /// tables on several machines answers where it does not join them. Nil where there is one table.
  var fenced: PostgreSQLStatement? {
    fences.map {
      PostgreSQLStatement(
        $0.rendered(in: PostgreSQLDialect(), isFenced: true).text, parameters, isKept: isKept)
    }
  }

  /// What it was made of, where it reads several tables.
  var fences: SQLFragment?

  package init(_ text: String, _ parameters: [PostgreSQLParameter] = [], isKept: Bool = false) {
    self.text = text
    self.parameters = parameters
    self.isKept = isKept
  }
}

/// What distinguishes plans that the server keeps.
struct PlanKey: Hashable {
  let text: String
  let types: [PostgreSQLType]

  init(_ statement: PostgreSQLStatement) {
    text = statement.text
    types = statement.parameters.map(\.type)
  }
}

#endif
