/// Whether the browser must follow a change of the file's tables, such as a `CREATE TABLE` in the console.
enum SchemaFollowing: FeatureState {
  /// The entities are those of the file.
  case none
  /// The new entities are read as soon as no changes are staged and no work uses the old ones.
  case awaited
  /// The file is being opened again.
  case opening

  init() { self = .none }
}

extension BrowserState {
  var following: SchemaFollowing {
    get { self[SchemaFollowing.self] }
    _modify { yield &self[SchemaFollowing.self] }
  }
}
