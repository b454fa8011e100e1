#if PostgreSQL
import DatastoreImport
import DatastoreTestSupport
import SwiftDatastore
import SwiftDatastorePostgreSQL
import Testing

@Suite("Loading into a server's tables whose foreign keys have several columns")
struct LoadCompositeKeyTests {
  @Test("Random tables have the rows that psql makes of the same ones")
  func random() async throws {
    let server = try PostgreSQLServer.shared()
    for round in RandomCases.rounds(of: 100) {
      let seed = RandomCases.seed(round)
      let tables = CompositeKeyTables(seed: seed, isServer: true)
      let (loaded, witness) = (try server.makeDatabase(), try server.makeDatabase())
      try server.psql(witness, tables.declarations + tables.inserts)
      try server.psql(loaded, tables.declarations + tables.prepared)
      let directory = try TemporaryDirectory()
      for file in tables.files { try directory.write(file.csv, to: file.entity + ".csv") }
      let plan = try LoadPlan(paths: [directory.write(tables.manifest, to: "manifest.yaml")])
      let address = server.address(of: loaded)
      var options = LoadOptions()
      options.batchSize = 3
      let destination = LoadDestination(
        named: loaded, store: { try SwiftDatastore.store(showing: address, readOnly: $0) },
        datastore: { try SwiftDatastore(showing: address, readOnly: $0, options: $1) })
      do {
        _ = try await StoreLoader(plan, into: destination, options: options).run { _ in }
      } catch {
        Issue.record("seed \(seed): \(error)\n\(tables.declarations)\(tables.manifest)")
        continue
      }
      #expect(
        try server.psql(loaded, tables.contents) == server.psql(witness, tables.contents),
        "seed \(seed)\n\(tables.declarations)\(tables.manifest)")
    }
  }
}
#endif
