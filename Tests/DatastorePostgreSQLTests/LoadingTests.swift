#if PostgreSQL
import DatastoreCore
import DatastoreImport
import DatastoreTestSupport
import Foundation
import SampleModel
import SwiftDatastore
import SwiftDatastorePostgreSQL
import Testing

private final class Measurement: DatastoreObject {
  @Attribute.NotOptional(unique: true) var number: Int
  @Attribute.NotOptional var place: String
  @Attribute.Optional var degrees: Double?
}

/// Loads files into a server with the code of `datastore load`.
@Suite("Loading files into a server")
struct LoadingTests {
  let server: PostgreSQLServer
  let database: String
  let directory: TemporaryDirectory

  init() throws {
    server = try PostgreSQLServer.shared()
    database = try server.makeDatabase()
    directory = try TemporaryDirectory()
  }

  private func destination(
    _ model: @escaping @Sendable () throws -> SwiftDatastoreModel
  ) -> LoadDestination {
    let address = server.address(of: database)
    return LoadDestination(
      named: database, store: { try SwiftDatastore.store(showing: address, readOnly: $0) },
      datastore: {
        try SwiftDatastore(dataModel: model(), postgreSQL: address, readOnly: $0, options: $1)
      }, making: StoreMaking(isNeeded: { false }, make: { _ in {} }))
  }

  private func load(
    _ plan: LoadPlan, into destination: LoadDestination,
    faults: LoadOptions.FaultHandling = .stop
  ) async throws -> LoadReport {
    var options = LoadOptions()
    options.faults = faults
    return try await StoreLoader(plan, into: destination, options: options).run { _ in }
  }

  @Test("The companies of the sample data are in a server what they are in a file")
  func sampleData() async throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "sample-data/company").path
    let plan = try LoadPlan(paths: [folder])
    let report = try await load(
      plan, into: destination { try SwiftDatastoreModel.sampleCompanies() })
    #expect(report.inserted == 12 + 40 + 2_000 + 6_000)
    let file = directory.file("companies.sqlite")
    _ = try await StoreLoader(
      plan, into: file, models: ["company": { try SwiftDatastoreModel.sampleCompanies() }]
    ).run { _ in }
    for sql in [
      #"SELECT count(*), sum(id), sum(age) FROM "Employee""#,
      #"SELECT count(*) FROM "Task" t JOIN "Employee" e ON t.employee = e._id WHERE e.id % 3 = t.id % 3"#,
      #"SELECT e.id, m.id FROM "Employee" e JOIN "Employee" m ON e.manager = m._id ORDER BY 1, 2"#,
      #"SELECT c.id, c.name, count(*) FROM "Employee" e JOIN "Company" c ON e.company = c._id GROUP BY 1, 2 ORDER BY 1"#,
    ] {
      let found = try server.psql(database, "SET search_path = datastore; \(sql)")
      #expect(try SQLiteCommand.run(sql, on: file) == found, "\(sql)")
    }
  }

  @Test(
    "A file of attributes is copied as it is read; by a key its rows are written again; or nothing is"
  )
  func rows() async throws {
    let model: @Sendable () throws -> SwiftDatastoreModel = {
      try SwiftDatastoreModel(from: Measurement.self)
    }
    let datastore = try SwiftDatastore(
      dataModel: model(), postgreSQL: server.address(of: database))
    defer { try? datastore.close() }
    func csv(_ name: String, _ lines: [String]) throws -> String {
      try directory.write(
        (["number,place,degrees"] + lines).joined(separator: "\n"), to: name)
    }
    func run(_ path: String, key: String? = nil) async throws -> LoadReport {
      let plan = try LoadPlan(paths: [path], entity: "Measurement", key: key)
      return try await LoadOperation(plan, into: datastore).run { _ in }
    }
    func psql(_ sql: String) throws -> String {
      try server.psql(database, "SET search_path = datastore; \(sql)")
    }
    let summary = #"SELECT count(*), sum(number), sum(degrees) FROM "Measurement""#
    let first = try csv("first.csv", (1...3_000).map { "\($0),P\($0 % 7),\($0 % 2)" })
    #expect(try await run(first).inserted == 3_000)
    #expect(try psql(summary) == "3000|4501500|1500")
    // The last of them has the number of the first.
    let twice = try csv("twice.csv", (3_001...4_000).map { "\($0 == 4_000 ? 1 : $0),Q,1" })
    await #expect(throws: (any Error).self) { try await run(twice) }
    #expect(try psql(summary) == "3000|4501500|1500")
    let second = try csv("second.csv", (2_001...4_000).map { "\($0),Q\($0 % 7),5" })
    let report = try await run(second, key: "number")
    #expect(report.inserted == 1_000 && report.updated == 1_000)
    #expect(try psql(summary) == "4000|8002000|11000")
    #expect(
      try await datastore.newContext().perform {
        try $0.count(Measurement.self, where: \.$degrees == 5)
      }
        == 2_000)
  }

  @Test(
    "Rows are added to tables of other programs, whose keys are counted by the server or are in the file"
  )
  func tablesOfOthers() async throws {
    try server.psql(
      database,
      """
      CREATE TYPE mood AS ENUM ('glad', 'sad');
      CREATE TABLE people (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL, mood mood);
      CREATE TABLE codes (code text PRIMARY KEY, meaning text);
      INSERT INTO people (name) VALUES ('Ann')
      """)
    let datastore = try SwiftDatastore(showing: server.address(of: database), readOnly: false)
    defer { try? datastore.close() }
    for (name, text) in [
      ("people", "name,mood\nBob,glad\nEve,sad"), ("codes", "code,meaning\na,first\nb,second"),
    ] {
      let path = try directory.write(text, to: "\(name).csv")
      let plan = try LoadPlan(paths: [path], entity: name)
      #expect(try await LoadOperation(plan, into: datastore).run { _ in }.inserted == 2)
    }
    #expect(
      try server.psql(database, "SELECT * FROM people ORDER BY 1")
        == "1|Ann|\n2|Bob|glad\n3|Eve|sad")
    #expect(try server.psql(database, "SELECT * FROM codes ORDER BY 1") == "a|first\nb|second")
    let again = try directory.write("code,meaning\nb,other\nc,third", to: "more.csv")
    let plan = try LoadPlan(paths: [again], entity: "codes", key: "code")
    let report = try await LoadOperation(plan, into: datastore).run { _ in }
    #expect(report.inserted == 1 && report.updated == 1)
    #expect(
      try server.psql(database, "SELECT * FROM codes ORDER BY 1") == "a|first\nb|other\nc|third")
  }

  @Test("The greatest key of a table whose keys nothing generates is asked for once")
  func greatestKey() async throws {
    try server.psql(
      database,
      """
      CREATE TABLE counted (id bigint PRIMARY KEY, name text);
      INSERT INTO counted VALUES (1, 'a'), (41, 'b');
      ALTER DATABASE \(database) SET log_statement = 'all'
      """)
    let datastore = try SwiftDatastore(showing: server.address(of: database), readOnly: false)
    defer { try? datastore.close() }
    let lines = ["b"] + (0..<3_000).map { "n\($0)" }
    let path = try directory.write("name\n" + lines.joined(separator: "\n") + "\n", to: "p.csv")
    let plan = try LoadPlan(paths: [path], entity: "counted", key: "name")
    let log = URL(fileURLWithPath: "\(server.directory)/data/log")
    // A server of another machine keeps its log to itself.
    let before = try? Data(contentsOf: log).count
    let report = try await LoadOperation(plan, into: datastore).run { _ in }
    #expect(report.inserted == 3_000 && report.updated == 1)
    #expect(
      try server.psql(database, "SELECT count(*), min(id), count(DISTINCT id) FROM counted")
        == "3002|1|3002")
    guard let before, let now = try? Data(contentsOf: log) else { return }
    // Tests of other databases write into the same log.
    let sent = String(decoding: now.dropFirst(before), as: UTF8.self).split(separator: "\n")
      .filter { $0.contains("coalesce(max(") && $0.contains("counted") }
    #expect(sent.count < 10)
  }

  @Test("A key that several rows have is a fault of its record")
  func ambiguous() async throws {
    try server.psql(
      database,
      """
      CREATE TABLE p (id int PRIMARY KEY, name text, city text);
      INSERT INTO p VALUES (1, 'Ann', 'Oslo'), (2, 'Bob', 'Rome'), (3, 'Bob', 'Bern')
      """)
    let datastore = try SwiftDatastore(showing: server.address(of: database), readOnly: false)
    defer { try? datastore.close() }
    let path = try directory.write("name,city\nAnn,Paris\nBob,London\n", to: "p.csv")
    let plan = try LoadPlan(paths: [path], entity: "p", key: "name")
    var options = LoadOptions()
    options.faults = .skip
    let report = try await LoadOperation(plan, into: datastore, options: options).run { _ in }
    #expect(report.updated == 1 && report.skippedRows == 1)
    #expect(
      try server.psql(database, "SELECT city FROM p ORDER BY id") == "Paris\nRome\nBern")
  }
}
#endif
