/// The changes allowed to a store whose file was made with another version of the model.
public enum MigrationPolicy: Sendable, Hashable {
  /// Nothing: opening throws.
  case none
  /// Changes that touch no row: new tables and columns, other names, rules. Everything else throws.
  case instant
  /// Changes that keep every value, except those that a version of the model `removes:`. Rows are written if
  /// necessary, and values are converted if each of them fits.
  case lossless
  /// Like `lossless`, and the declared data may be lost.
  case declared(DeclaredLosses)
  /// The file is erased and created again when it differs from the model. **All objects are lost**, and no
  /// copy is kept.
  case recreating
}
