#if PostgreSQL
package import DatastoreCore
package import DatastoreSQL
import Foundation
import Synchronization

/// The tables of a PostgreSQL database as an object store.
///
/// Reads run on connections of a pool, and saves on one of their own, one after the other. All methods block; call them
/// from any thread, but not from inside one another.
package final class PostgreSQLStore: StoreEngine {
  package let mapping: SchemaMapping
  /// Where the database is, with the schema that unqualified names are looked for in.
  package let address: PostgreSQLAddress
  package let server: ServerName
  /// Whether saving is refused.
  package let isReadOnly: Bool
  let pool: ConnectionPool
  /// The connection that saves; opened by the first save.
  let writer = Lock<PostgreSQLConnection?>(nil)
  /// Keys that were taken from the sequences of tables of our own and were given to nobody.
  let keyBlocks: KeyBlocks
  /// Who saves, for others who read the log of changes.
  let session = UUID()
  /// What has been seen of the transactions of others.
  let foreignTransactions = Lock(ForeignTransactions())
  private let isClosed = Atomic(false)

  /// - Parameters:
  ///   - address: with a `searchPath` that leads to the mapping's tables.
  ///   - server: what the address leads to.
  package init(
    mapping: SchemaMapping, address: PostgreSQLAddress, server: ServerName, isReadOnly: Bool
  ) {
    self.mapping = mapping
    self.address = address
    self.server = server
    self.isReadOnly = isReadOnly
    pool = ConnectionPool(address, to: server)
    keyBlocks = KeyBlocks(mapping)
    // Where this fails, everything else does.
    _ = try? checkForExternalChanges()
  }

  package var schema: Schema { mapping.schema }

  var place: String { server.description }

  /// How often it has waited for the server, on connections that are not in use just now.
  package var waitCount: Int {
    pool.waitCount + writer.withLock { $0?.waitCount ?? 0 }
  }

  func requireOpen() throws {
    if isClosed.load(ordering: .sequentiallyConsistent) { throw StoreError.closed(path: place) }
  }

  /// - Throws: `StoreError` with the reason why nothing can be saved.
  func requireWritable() throws {
    try requireOpen()
    if isReadOnly { throw StoreError.serverReadOnly(server: place) }
    if !mapping.isNative { throw Self.unwritable }
  }

  static let unwritable = StoreError.unsupportedPredicate(
    "Tables of other programs in a server can only be read yet; change them with psql.")

  /// Runs `body` with a connection for reading, and tells what the server reports as `StoreError`.
  func read<Result>(
    stoppedBy stopSignal: StopSignal? = nil, _ body: (PostgreSQLConnection) throws -> Result
  ) throws -> Result {
    try requireOpen()
    do {
      return try pool.withConnection(stoppedBy: stopSignal, body)
    } catch let failure as PostgreSQLFailure {
      throw storeError(failure)
    }
  }

  /// What a server reports, as a sentence about this database.
  func storeError(_ failure: PostgreSQLFailure) -> StoreError {
    StoreError(failure, server: server)
  }

  /// Closes all connections.
  package func close() throws {
    if isClosed.exchange(true, ordering: .sequentiallyConsistent) { return }
    pool.close()
    writer.withLock { $0 = nil }
  }
}
#endif
