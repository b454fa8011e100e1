/// Whether the browser has to follow a change of the file's tables, such as a `CREATE TABLE` in the console.
enum SchemaFollowing: FeatureState {
  /// The entities are those of the file.
  case none
  /// They are to be read as soon as nothing is staged and nothing runs that knows the old ones.
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
