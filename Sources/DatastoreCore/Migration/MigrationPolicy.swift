/// What may be done to a store whose file was made with another version of the model.
public enum MigrationPolicy: Sendable, Hashable {
  /// Nothing: opening throws.
  case none
  /// What touches no row: new tables and columns, other names, rules. Everything else throws.
  case instant
  /// What keeps every value: rows are written where that is needed, values are converted where each of
  /// them fits.
  case lossless
  /// The same, and what is declared here may be lost.
  case declared(DeclaredLosses)
  /// The file is erased and made again when it differs from the model. **All objects are lost**, and no copy
  /// is kept.
  case recreating
}

/// What a migration may drop although it holds values.
public struct DeclaredLosses: Sendable, Hashable, ExpressibleByArrayLiteral {
  /// Entities (`Visit`) and properties (`Person.fax`), by their names in the file; nil for everything.
  let names: Set<String>?

  /// Everything that the model does not have.
  public static let all = DeclaredLosses(names: nil)

  private init(names: Set<String>?) { self.names = names }

  /// Entities (`"Visit"`) and properties (`"Person.fax"`), by their names in the file.
  public init(_ names: some Sequence<String>) { self.init(names: Set(names)) }

  public init(arrayLiteral names: String...) { self.init(names) }

  /// Whether a loss is declared.
  public func contains(_ loss: MigrationLoss) -> Bool {
    names?.contains(loss.name) ?? true
  }
}
