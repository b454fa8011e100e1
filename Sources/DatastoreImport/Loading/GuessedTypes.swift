import DatastoreCore

/// Types that were inferred from the beginnings of files, while the files are loaded as if all of their
/// values had them. The values that are read are counted as in a pass over the whole file, so that in the
/// end, or at the first value of another type, it is known whether the types are right.
package final class GuessedTypes: Sendable {
  private let guessed: InferredSchema
  private let seen = Lock<[Int: ObservedColumns]>([:])

  package init(_ guessed: InferredSchema) {
    self.guessed = guessed
  }

  /// Whether only the beginning of a file was read, by its number.
  func isGuess(file: Int) -> Bool { guessed.observed[file]?.isWhole == false }

  /// The assumed order of days and months, by column.
  func dateOrders(ofFile file: Int) -> [String: DateOrder]? { guessed.observed[file]?.dateOrders }

  /// The inference from the values of a column; nil if there are none.
  private func shown(_ column: String, ofFile file: Int) -> ColumnTypeInference? {
    guessed.observed[file]?.columns.first { $0.name == column && $0.types.valueCount > 0 }?.types
  }

  /// The columns of a file, and for JSON the members of its objects that they are.
  func columns(ofFile file: Int) -> (names: [String], members: JSONMembers?) {
    let observed = guessed.observed[file]
    return (observed?.columns.map(\.name) ?? [], observed?.members)
  }

  /// Whether the values of a column have determined its type, and further values cannot turn it into dates.
  func isCertain(_ column: String, ofFile file: Int) -> Bool {
    shown(column, ofFile: file)?.isAmbiguous == false
  }

  /// Sets whether the type of a column of a file is a guess.
  func mark(
    _ column: inout RowCells.Column, ofFile file: Int, _ content: ImportManifest.EntityContent
  ) {
    guard isGuess(file: file), !content.saysType(of: column.name) else { return }
    column.isGuess = true
    column.isUnknown = shown(column.name, ofFile: file) == nil
  }

  /// Records the columns that a file turned out to have.
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

  /// The entities with everything that is known so far.
  ///
  /// - Throws: `Refuted` if they differ from the assumed ones.
  func confirmed(for plan: LoadPlan) throws -> InferredSchema {
    let seen = seen.withLock { $0 }
    let observed = guessed.observed.merging(seen) { $1 }
    let found = try InferredSchema(of: plan, observed: observed)
    guard found.schema.entities.map(\.description) == guessed.schema.entities.map(\.description),
      seen.allSatisfy({ file, columns in columns.dateOrders == dateOrders(ofFile: file) })
    else { throw Refuted() }
    return found
  }

  /// A column has a value that is not of the assumed type.
  package struct Refuted: Error {}
}

extension ImportManifest.EntityContent {
  /// Whether the content states the type of a column.
  func saysType(of column: String) -> Bool {
    columns.contains { said in
      if said.name == column, case .attribute(_?) = said.role { return true }
      return false
    }
  }
}
