/// What may be done to a store whose file was made with another version of the model.
public enum MigrationPolicy: Sendable, Hashable {
  /// Nothing: opening throws.
  case none
  /// What touches no row: new tables and columns, other names, rules. Everything else throws.
  case instant
  /// What keeps every value, but for what a version of the model says that it `removes:`. Rows are written
  /// where that is needed, values are converted where each of them fits.
  case lossless
  /// The same, and what is declared here may be lost.
  case declared(DeclaredLosses)
  /// The file is erased and made again when it differs from the model. **All objects are lost**, and no copy
  /// is kept.
  case recreating
}
