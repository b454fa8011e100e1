package import DatastoreCore
import SwiftDatastore

/// How an engine opens and migrates stores, by their names.
package struct MigratedStores: Sendable {
  /// Opens a store, which is made if there is none, and migrates it as the request allows.
  package typealias Open =
    @Sendable (_ name: String, Schema, MigrationRequest) throws -> any StoreEngine
  /// Migrates a store while something goes wrong, now and then.
  ///
  /// - Returns: whether the store was migrated all the same; otherwise it must be as before.
  package typealias Disturb =
    @Sendable (_ name: String, Schema, MigrationRequest, inout SeededRandom) throws -> Bool

  let open: Open
  let forecast: @Sendable (_ name: String, Schema, MigrationRequest) throws -> MigrationForecast
  /// What a store declares, and what another program finds wrong in it.
  let declarations: @Sendable (_ name: String) throws -> Set<String>
  let remove: @Sendable (_ name: String) throws -> Void
  let disturb: Disturb

  package init(
    open: @escaping Open,
    forecast: @escaping @Sendable (String, Schema, MigrationRequest) throws -> MigrationForecast,
    declarations: @escaping @Sendable (String) throws -> Set<String>,
    remove: @escaping @Sendable (String) throws -> Void,
    disturb: @escaping Disturb = { _, _, _, _ in false }
  ) {
    self.open = open
    self.forecast = forecast
    self.declarations = declarations
    self.remove = remove
    self.disturb = disturb
  }

  /// A random version may be one that the store was of before.
  package static func request(_ policy: MigrationPolicy) -> MigrationRequest {
    var request = MigrationRequest(policy: policy)
    request.mayGoBack = true
    return request
  }

  /// Migrates where nothing gets lost by it, or all may.
  func migrate(_ name: String, _ schema: Schema, _ policy: MigrationPolicy) throws {
    try open(name, schema, Self.request(policy)).close()
  }

  /// The objects, one a line.
  func lines(_ name: String, _ schema: Schema) async throws -> Set<String> {
    let datastore = datastore(try open(name, schema, Self.request(.lossless)))
    let contents = try await StoreContents(of: datastore)
    try datastore.close()
    return EvolvingStore.lines(of: contents, schema)
  }

  func datastore(_ store: any StoreEngine) -> SwiftDatastore {
    SwiftDatastore(store, dataModel: nil, storeName: "migrated", options: .init())
  }
}

/// Migrations between random versions of a model.
extension EngineConformance {
  /// Migrates stores through random versions: each declares what a fresh one declares, and its objects are
  /// those of a model in memory. A migration that loses something is refused until it is allowed; one that is
  /// cancelled or disturbed changes nothing.
  ///
  /// - Parameters:
  ///   - rounds: the numbers of the chains of versions.
  ///   - stores: how the engine opens and migrates stores.
  /// - Throws: `Fault`; what the engine throws.
  package static func tryMigrations(_ rounds: Range<Int>, of stores: MigratedStores) async throws {
    for round in rounds {
      let seed = RandomCases.seed(round)
      let conformance = EngineConformance(
        makeStore: { try stores.open("plain", $0, MigratedStores.request(.lossless)) },
        random: SeededRandom(seed: seed), count: 1)
      try await conformance.tryChain(named: "store \(round)", EvolvingStore(seed: seed), of: stores)
    }
  }

  private func tryChain(
    named name: String, _ evolving: EvolvingStore, of stores: MigratedStores
  ) async throws {
    var model = evolving
    var schema = try Schema(model.descriptions)
    let made = stores.datastore(try stores.open(name, schema, MigratedStores.request(.lossless)))
    try await model.fill(made)
    try made.close()
    try expect(await stores.lines(name, schema), model.lines, in: .migrations, "what was made")
    for version in 1...(1 + model.random.below(4)) {
      let note = "\(name), version \(version)"
      let former = schema
      model.evolve()
      schema = try Schema(model.descriptions)
      try await migrate(name, from: former, to: schema, note, &model.random, stores)
      let (found, expected) = (try await stores.lines(name, schema), model.lines)
      try expect(found.subtracting(expected), [], in: .migrations, "\(note): what is too much")
      try expect(expected.subtracting(found), [], in: .migrations, "\(note): what is lacking")
      try stores.migrate("fresh", schema, .lossless)
      let (migrated, fresh) = (try stores.declarations(name), try stores.declarations("fresh"))
      try stores.remove("fresh")
      try expect(
        migrated.symmetricDifference(fresh), [], in: .migrations,
        "\(note): what only one of the migrated and the fresh store declares")
      let rest = try stores.forecast(name, schema, MigratedStores.request(.lossless))
      try expect(rest.kind == .none, true, in: .migrations, "\(note): that nothing is left to do")
    }
    try stores.remove(name)
  }

  /// Cancels or disturbs now and then at a random moment; then migrates, and needs leave where the forecast
  /// has seen a loss.
  private func migrate(
    _ name: String, from former: Schema, to schema: Schema, _ note: String,
    _ random: inout SeededRandom, _ stores: MigratedStores
  ) async throws {
    let forecast = try stores.forecast(name, schema, MigratedStores.request(.lossless))
    try expect(
      forecast.obstacles.map(\.description), [], in: .migrations, "\(note): what is in the way")
    let declared = try stores.declarations(name)
    let lines = try await stores.lines(name, former)
    func expectUnchanged(_ what: String) async throws {
      try expect(
        stores.declarations(name), declared, in: .migrations, "\(note), \(what): the tables")
      try expect(
        await stores.lines(name, former), lines, in: .migrations, "\(note), \(what): the objects")
    }
    if random.below(4) == 0 {
      let left = Lock(random.below(80))
      var request = MigratedStores.request(.declared(.all))
      request.isCancelled = {
        left.withLock { left in
          left -= 1
          return left < 0
        }
      }
      do {
        try stores.open(name, schema, request).close()
        return
      } catch is CancellationError {
        try await expectUnchanged("cancelled")
      }
    }
    if try stores.disturb(name, schema, MigratedStores.request(.declared(.all)), &random) { return }
    try await expectUnchanged("disturbed")
    do {
      try stores.migrate(name, schema, .lossless)
      try expect(forecast.losses.isEmpty, true, in: .migrations, "\(note): that nothing is lost")
    } catch let error as MigrationError {
      try expect(
        forecast.losses.isEmpty, false, in: .migrations, "\(note), \(error): that it is lossy")
      try await expectUnchanged("refused")
      try stores.migrate(name, schema, .declared(.all))
    }
  }
}
