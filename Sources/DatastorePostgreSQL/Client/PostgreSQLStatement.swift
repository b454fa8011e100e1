#if PostgreSQL
import DatastoreSQL

/// A statement with its values.
package struct PostgreSQLStatement: Sendable {
  package let text: String
  package let parameters: [PostgreSQLParameter]
  /// Whether the server keeps its plan under a name, since the statement will be sent again with other
  /// values.
  package let isKept: Bool
  /// The fragment it was made of, if it reads several tables.
  var fences: SQLFragment?

  package init(_ text: String, _ parameters: [PostgreSQLParameter] = [], isKept: Bool = false) {
    self.text = text
    self.parameters = parameters
    self.isKept = isKept
  }
}

/// The key of the plans that the server keeps.
struct PlanKey: Hashable {
  let text: String
  let types: [PostgreSQLType]

  init(_ statement: PostgreSQLStatement) {
    text = statement.text
    types = statement.parameters.map(\.type)
  }
}

#endif
