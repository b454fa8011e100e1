#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreTestSupport
import Foundation
import Testing

/// A save whose connection is cut anywhere: the program asks whether it was committed, and does not guess.
@Suite("Connections that are cut")
struct CutConnectionTests {
  /// The ways in which a connection ends: for both sides; or only for the program, whose bytes reach the
  /// server when the program has reconnected.
  enum Cut: CaseIterable { case both, late }

  // Promise: a connection is cut in the middle of a save → it is sent again under the same number; its
  // first statement waits for the former transaction and fails where that was committed: saved once, never
  // guessed.
  // Also: (100 cuts behind random bytes, both sides; seed printed)
  @Test(
    "A save that is cut behind any byte, of either side, is saved just once",
    arguments: Cut.allCases)
  func everywhere(cut: Cut) throws {
    let server = try PostgreSQLServer.shared()
    let database = try server.makeDatabase()
    let proxy = try CuttingProxy(to: server.directory)
    let store = try PostgreSQLStore(
      CompanySchema.schema,
      at: PostgreSQLAddress("postgresql:///\(database)?host=\(proxy.path)&user=postgres"),
      named: "company")
    var first = Changes(store)
    let company = try first.insert("Company", ["name": "0"])
    let employees = try (0..<3).map {
      try first.insert("Employee", ["name": .text("E\($0)"), "age": 0, "company": .key(company)])
    }
    try first.save()

    /// One change of each kind: the rows show which saves were made, and how often.
    func changes(_ round: Int) throws -> Changes {
      var changes = Changes(store)
      try changes.update(
        "Company", company, from: [:], to: ["name": .text("\(round)")])
      for employee in employees {
        try changes.update("Employee", employee, from: [:], to: ["age": .integer(Int64(round))])
      }
      let task = try changes.insert(
        "Task", ["title": .text("\(round)"), "owner": .key(employees[0])])
      try changes.order("Employee", "tasks", employees[0], [task])
      let tag = try changes.insert("Tag", ["label": .text("\(round)")])
      try changes.link("Employee", "tags", employees[0], tag)
      return changes
    }

    // The second one has all plans ready, as those that are cut.
    try changes(1).save()
    let second = try changes(2)
    proxy.arm(.program, after: .max)
    try second.save()
    let lengths = CuttingProxy.Side.allCases.map { (side: $0, count: proxy.count($0)) }
    let seed = RandomCases.seed()
    var random = SeededRandom(seed: seed)
    for round in RandomCases.rounds(of: cut == .both ? 20 : 40).map({ $0 + 3 }) {
      let (side, count) = lengths[cut == .late ? 0 : round % 2]
      let place = random.below(count)
      // The reads for the save come first, so that the save itself is cut.
      let changes = try changes(round)
      let cuts = proxy.cutCount
      proxy.arm(side, after: place, isLate: cut == .late)
      try changes.save()
      let comment: Comment =
        "seed \(seed), round \(round): \(side) cut behind \(place) bytes, \(cut)"
      #expect(proxy.cutCount == cuts + 1, comment)
      let counts = try server.psql(
        database,
        """
        SET search_path = company; SELECT (SELECT "name" FROM "Company"),
          (SELECT sum("age") FROM "Employee"), (SELECT count(*) FROM "Task"),
          (SELECT count(DISTINCT "title") FROM "Task"), (SELECT count(*) FROM "Tag"),
          (SELECT count(*) FROM "Employee_tags")
        """)
      #expect(counts == "\(round)|\(3 * round)|\(round)|\(round)|\(round)|\(round)", comment)
    }
  }

  @Test("What comes in small pieces is put together")
  func pieces() throws {
    let server = try PostgreSQLServer.shared()
    let database = try server.makeDatabase()
    let proxy = try CuttingProxy(to: server.directory)
    proxy.split(into: 3)
    let store = try PostgreSQLStore(
      CompanySchema.schema,
      at: PostgreSQLAddress("postgresql:///\(database)?host=\(proxy.path)&user=postgres"),
      named: "company")
    var changes = Changes(store)
    let names = (0..<300).map { "Ä\($0)" }
    for name in names { try changes.insert("Company", ["name": .text(name)]) }
    try changes.save()
    #expect(
      try store.names("Company")
        == names.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) })
  }
}
#endif
