#if PostgreSQL
package import DatastoreCore
import DatastoreSQL

extension PostgreSQLStore {
  /// Opens the store of a model, or makes it: one schema of a database. Waits for the server.
  ///
  /// - Parameters:
  ///   - name: what the schema is called.
  ///   - isReadOnly: look only: the store must be there, and saving throws.
  /// - Throws: `StoreError`; `.schemaMismatch` where it was made from another model.
  package convenience init(
    _ schema: Schema, at address: PostgreSQLAddress, named name: String, isReadOnly: Bool = false
  ) throws {
    var address = address
    address.searchPath = [name]
    address.isReadOnly = isReadOnly
    let mapping = SchemaMapping.native(schema, dialect: PostgreSQLDialect()).withoutWordIndexes
    let connection = try PostgreSQLConnection(address)
    do {
      try NativeSchema(name: name, mapping: mapping, connection: connection)
        .open(isReadOnly: isReadOnly)
    } catch let failure as PostgreSQLFailure {
      throw StoreError(failure, server: connection.server)
    }
    self.init(
      mapping: mapping, address: address, server: connection.server, isReadOnly: isReadOnly)
  }

  /// Opens any database to look at it: its tables and views are the entities. Waits for the server.
  ///
  /// - Throws: `StoreError`.
  package convenience init(showing address: PostgreSQLAddress) throws {
    var address = address
    address.isReadOnly = true
    let connection = try PostgreSQLConnection(address)
    let mapping: SchemaMapping
    do {
      mapping = try SchemaMapping.reflected(from: ServerTable.all(on: connection))
    } catch let failure as PostgreSQLFailure {
      throw StoreError(failure, server: connection.server)
    }
    self.init(mapping: mapping, address: address, server: connection.server, isReadOnly: true)
  }
}
#endif
