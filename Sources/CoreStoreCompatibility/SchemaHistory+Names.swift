public import SwiftDatastore

/// Histories that trap with every fault, as those of CoreStore do; `SchemaHistory(_:migrationChain:)` with
/// a list throws.
extension SchemaHistory: ExpressibleByArrayLiteral {
  /// Versions and the order in which they came.
  public init(
    allSchema: [any DynamicSchema], migrationChain: MigrationChain = nil,
    exactCurrentModelVersion: String? = nil
  ) {
    do {
      try self.init(
        allSchema, migrationChain: migrationChain,
        exactCurrentModelVersion: exactCurrentModelVersion)
    } catch {
      CoreStoreDefaults.abort("SchemaHistory: \(error)")
    }
  }

  /// The only version.
  public init(arrayLiteral versions: any DynamicSchema...) { self.init(allSchema: versions) }

  /// The version that files are to have: `current`.
  public var currentSchema: any DynamicSchema { current }
}
