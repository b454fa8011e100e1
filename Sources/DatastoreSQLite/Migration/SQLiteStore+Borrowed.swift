import DatastoreCore
import DatastoreSQL
import GRDB

extension SQLiteStore {
  /// A store inside of a transaction that a connection is in. Used on the thread that has begun it, until it ends.
  convenience init(
    borrowing connection: any DatabaseWriter, _ mapping: SchemaMapping, path: String
  ) {
    self.init(
      mapping: mapping, url: nil, isReadOnly: false, reader: connection,
      writer: .borrowed(connection), trace: nil, path: path)
  }
}
