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
  /// Where the database is, with the schema that unqualified names are looked for in.
  package let address: PostgreSQLAddress
  package let server: ServerName
  /// Whether saving is refused.
  package let isReadOnly: Bool
  /// What the server can do.
  package let capabilities: ServerCapabilities
  let pool: ConnectionPool
  /// The connection of a migration, inside of whose transaction the store is; nil for all other stores.
  let lent: Lock<PostgreSQLConnection>?
  /// What is known of the foreign tables; nil for native ones.
  let tables: ByEntity<ServerTable?>
  /// What someone has said of foreign tables.
  let annotations: SchemaAnnotations
  /// The connection that saves; opened by the first save.
  let writer = Lock<PostgreSQLConnection?>(nil)
  /// Keys that were taken from the sequences of tables of our own and were given to nobody.
  let keyBlocks: KeyBlocks
  /// Keys that were taken from third-party sequences.
  let sequenceKeys = Lock<[EntityIndex: SequenceKeys]>([:])
  /// Who saves, for others who read the log of changes.
  let session = UUID()
  /// Says in the log of changes, and to others, which rows were changed.
  let coder: ChangeCoder
  /// Up to where the log of changes was seen.
  let lastLook = Lock<LogPosition?>(nil)
  /// What has been seen of someone else's transactions, where there is no log.
  let foreignTransactions = Lock(ForeignTransactions())
  /// What the server has counted of writing, where there is no log.
  let counters = Lock(TableCounters())
  /// What others have told, where there is no log.
  let notices = Lock<[MergedKeys]>([])
  /// What tables were like when the store was opened.
  let openedTables = Lock<String?>(nil)
  /// Whether old rows of the log are being removed, and who is told when that fails.
  let pruning = Lock(Pruning())
  /// Whether tables are distributed over machines.
  let isSpread: Bool
  /// What these do not join.
  let fences = Lock(Fences())
  private let isClosed = Atomic(false)

  /// - Parameters:
  ///   - address: with a `searchPath` that leads to the mapping's tables.
  ///   - connection: one to that address, which is in no transaction.
  ///   - tables: the tables that were reflected; none for native ones.
  ///   - annotations: what someone has said of these.
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
    // By which the tables know that they are written by someone who tells the log of it.
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
    // Where this fails, everything else does.
    try? beginLooking()
  }

  /// A store inside of the transaction that a connection is in. Used by the thread that has begun it, until
  /// it ends.
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
  }

  /// Runs `body` with a connection for reading, and tells what the server reports as `StoreError`.
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

  /// Runs `body` with a connection that may write, and leaves what the server reports as it is.
  func connect<Result>(_ body: (PostgreSQLConnection) throws -> Result) throws -> Result {
    try requireOpen()
    if let lent { return try lent.withLock { try body($0) } }
    return try pool.withConnection(body)
  }

  /// What a server reports, as a sentence about this database.
  func storeError(_ failure: PostgreSQLFailure) -> StoreError {
    guard isSpread, failure.isOfDistribution else { return StoreError(failure, server: server) }
    return .unsupportedPredicate(
      "\(place) keeps rows on several machines, and does not do what this takes of it: \(failure.message)."
    )
  }

  /// Closes all connections.
  package func close() throws {
    // The transaction is not its own.
    if lent != nil { return }
    if isClosed.exchange(true, ordering: .sequentiallyConsistent) { return }
    pool.close()
    writer.withLock { $0 = nil }
  }
}
#endif
