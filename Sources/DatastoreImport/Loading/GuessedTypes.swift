import DatastoreCore

/// The types that the beginnings of files have shown, while the files are loaded as if all of their values
/// had them. What is read is counted like by a look at the whole file, so that in the end, or at the first
/// value that is something else, it is known whether they have.
package final class GuessedTypes: Sendable {
  private let guessed: InferredSchema
  private let seen = Lock<[Int: ObservedColumns]>([:])

  package init(_ guessed: InferredSchema) {
    self.guessed = guessed
  }

  /// Whether only the beginning of a file was read, by its number.
  func isGuess(file: Int) -> Bool { guessed.observed[file]?.isWhole == false }

  /// What the order of days and months is taken to be, by column.
  func dateOrders(ofFile file: Int) -> [String: DateOrder]? { guessed.observed[file]?.dateOrders }

  /// What the values of a column have shown; nil where there are none.
  private func shown(_ column: String, ofFile file: Int) -> ColumnTypeInference? {
    guessed.observed[file]?.columns.first { $0.name == column && $0.types.valueCount > 0 }?.types
  }

  /// The columns of a file, and which members of its objects they are where it is JSON.
  func columns(ofFile file: Int) -> (names: [String], members: JSONMembers?) {
    let observed = guessed.observed[file]
    return (observed?.columns.map(\.name) ?? [], observed?.members)
  }

  /// Whether values of a column have shown what it is, and it will not turn out that they are dates.
  func isCertain(_ column: String, ofFile file: Int) -> Bool {
    shown(column, ofFile: file)?.isAmbiguous == false
  }

  /// Says of a column of a file whether its type is a guess.
  func mark(
    _ column: inout RowCells.Column, ofFile file: Int, _ content: ImportManifest.EntityContent
  ) {
    guard isGuess(file: file), !content.saysType(of: column.name) else { return }
    column.isGuess = true
    column.isUnknown = shown(column.name, ofFile: file) == nil
  }

  /// Hears what a file turned out to have.
  ///
  /// - Parameter skipped: columns that were not read, which keep the types of their beginning.
  func observe(_ columns: ObservedColumns, ofFile file: Int, skipping skipped: Set<String> = []) {
    var columns = columns
    if let beginning = guessed.observed[file] {
      columns.take(skipped, from: beginning)
      columns.members = beginning.members
    }
    seen.withLock { $0[file] = columns }
  }

  /// The entities with everything that is known by now.
  ///
  /// - Throws: `Refuted` when they are not what they were taken for.
  func confirmed(for plan: LoadPlan) throws -> InferredSchema {
    let seen = seen.withLock { $0 }
    let observed = guessed.observed.merging(seen) { $1 }
    let found = try InferredSchema(of: plan, observed: observed)
    guard found.schema.entities.map(\.description) == guessed.schema.entities.map(\.description),
      seen.allSatisfy({ file, columns in columns.dateOrders == dateOrders(ofFile: file) })
    else { throw Refuted() }
    return found
  }

  /// A column has a value that is not of the type which was guessed.
  package struct Refuted: Error {}
}

extension ImportManifest.EntityContent {
  /// Whether it says what the values of a column are.
  func saysType(of column: String) -> Bool {
    columns.contains { said in
      if said.name == column, case .attribute(_?) = said.role { return true }
      return false
    }
  }
}
