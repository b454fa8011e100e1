#if PostgreSQL
import Basics
package import DatastoreCore
package import DatastoreSQL
import Foundation
import Synchronization

/// The tables of a PostgreSQL database as an object store.
///
/// Reads run on connections of a pool, and saves on one of their own, one after the other. All methods block;
/// call them from any thread, but not from inside one another.
package final class PostgreSQLStore: SQLStore {
  package let mapping: SchemaMapping
  /// The address of the database, with the schema in which unqualified names are resolved.
  package let address: PostgreSQLAddress
  package let server: ServerName
  /// Whether saving is refused.
  package let isReadOnly: Bool
  package let capabilities: ServerCapabilities
  let pool: ConnectionPool
  /// The connection of a migration, inside whose transaction the store is; nil for all other stores.
  let lent: Lock<PostgreSQLConnection>?
  /// The descriptions of the third-party tables; nil for native ones.
  let tables: ByEntity<ServerTable?>
  /// Custom descriptions of third-party tables.
  let annotations: SchemaAnnotations
  /// The connection that saves; opened by the first save.
  let writer = Lock<PostgreSQLConnection?>(nil)
  /// Keys that were taken from the sequences of native tables and are not used yet.
  let keyBlocks: KeyBlocks
  /// Keys that were taken from third-party sequences.
  let sequenceKeys = Lock<[EntityIndex: SequenceKeys]>([:])
  /// Identifies this store to others that read the log of changes.
  let session = UUID()
  /// Encodes the changed rows for the log of changes, and for notifications.
  let coder: ChangeCoder
  /// The position up to which the log of changes was read.
  let lastLook = Lock<LogPosition?>(nil)
  /// The transactions of others that were seen, if there is no log.
  let foreignTransactions = Lock(ForeignTransactions())
  /// The server's counts of writes, if there is no log.
  let counters = Lock(TableCounters())
  /// Notifications of others, if there is no log.
  let notices = Lock<[MergedKeys]>([])
  /// The definitions of the tables when the store was opened.
  let openedTables = Lock<String?>(nil)
  /// The state of the removal of old log rows, and the handler for its failures.
  let pruning = Lock(Pruning())
  /// Whether tables are distributed over machines.
  let isSpread: Bool
  /// The statements whose tables the machines do not join.
  let fences = Lock(Fences())
  private let isClosed = Atomic(false)

  /// - Parameters:
  ///   - address: with a `searchPath` that leads to the mapping's tables.
  ///   - connection: a connection to that address that is in no transaction.
  ///   - tables: the tables that were reflected; none for native ones.
  ///   - annotations: custom descriptions of these.
  package init(
    mapping: SchemaMapping, address: PostgreSQLAddress, connection: sending PostgreSQLConnection,
    isReadOnly: Bool, capabilities: ServerCapabilities, tables: [ServerTable] = [],
    annotations: SchemaAnnotations = SchemaAnnotations()
  ) {
    self.mapping = mapping
    self.annotations = annotations
    let places = Dictionary(grouping: tables, by: \.storedName.exactKey)
    self.tables = ByEntity(
      mapping.entities.map { mapped in
        places[mapped.table.exactKey]?.first { $0.schema == mapped.namespace }
      })
    isSpread =
      mapping.entities.contains { $0.distribution?.isSpread ?? false }
      || tables.contains { $0.isDistributed }
    var address = address
    // Tells the triggers of the tables that the writer records its changes in the log itself.
    if mapping.isNative { address.session = session }
    self.address = address
    server = connection.server
    self.isReadOnly = isReadOnly
    self.capabilities = capabilities
    pool = ConnectionPool(address, beginningWith: connection)
    lent = nil
    keyBlocks = KeyBlocks()
    coder = ChangeCoder(
      mapping.schema,
      opaque: Set(
        mapping.schema.entities.map(\.index).filter {
          if case .rowid = mapping.entities[$0].key { false } else { true }
        }))
    // If this fails, everything else does.
    try? beginLooking()
  }

  /// A store inside the transaction that a connection is in. Used by the thread that has begun it, until it
  /// ends.
  init(
    lent connection: Lock<PostgreSQLConnection>, mapping: SchemaMapping,
    address: PostgreSQLAddress, server: ServerName, capabilities: ServerCapabilities
  ) {
    self.mapping = mapping
    annotations = SchemaAnnotations()
    tables = ByEntity(repeating: nil, count: mapping.entities.count)
    self.address = address
    self.server = server
    isReadOnly = false
    self.capabilities = capabilities
    pool = ConnectionPool(address, to: server)
    lent = connection
    isSpread = false
    keyBlocks = KeyBlocks()
    coder = ChangeCoder(mapping.schema)
  }

  package var schema: Schema { mapping.schema }

  var place: String { server.description }

  /// How often it has waited for the server, on connections that are idle at the moment.
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
  }

  /// Runs `body` with a connection for reading, and converts the server's failures to `StoreError`.
  func read<Result>(
    stoppedBy stopSignal: StopSignal? = nil, _ body: (PostgreSQLConnection) throws -> Result
  ) throws -> Result {
    try requireOpen()
    do {
      if let lent { return try lent.withLock { try body($0) } }
      return try pool.withConnection(stoppedBy: stopSignal, body)
    } catch let failure as PostgreSQLFailure {
      throw storeError(failure)
    }
  }

  /// Runs `body` with a connection that may write, and rethrows the server's failures unchanged.
  func connect<Result>(_ body: (PostgreSQLConnection) throws -> Result) throws -> Result {
    try requireOpen()
    if let lent { return try lent.withLock { try body($0) } }
    return try pool.withConnection(body)
  }

  /// A server's failure as an error about this database.
  func storeError(_ failure: PostgreSQLFailure) -> StoreError {
    guard isSpread, failure.isOfDistribution else { return StoreError(failure, server: server) }
    return .unsupportedPredicate(
      "\(place) keeps rows on several machines, and does not do what this takes of it: \(failure.message)."
    )
  }

  package func close() throws {
    // The transaction belongs to the migration.
    if lent != nil { return }
    if isClosed.exchange(true, ordering: .sequentiallyConsistent) { return }
    pool.close()
    writer.withLock { $0 = nil }
  }
}
#endif
