#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreTestSupport
import Foundation
import Testing

@Suite("Transactions of others")
struct ForeignTransactionTests {
  /// On a server of its own: a look sees the transactions of all databases of a server.
  @Test("Changes of others are noticed, and our own are not taken for theirs")
  func externalChanges() throws {
    let server = try PostgreSQLServer()
    let store = try PostgreSQLStore(
      CompanySchema.schema, at: PostgreSQLAddress(server.address(of: "postgres")), named: "company")
    #expect(try !store.checkForExternalChanges())
    for number in 0..<3 {
      var changes = Changes(store)
      try changes.insert("Employee", ["name": .text("E\(number)")])
      try changes.save()
      #expect(try !store.checkForExternalChanges())
    }
    try server.psql("postgres", #"UPDATE company."Employee" SET "age" = 1"#)
    #expect(try store.checkForExternalChanges())
    #expect(try !store.checkForExternalChanges())
    // One that began before ours and ends behind it is not covered by that.
    let other = try PostgreSQLConnection(PostgreSQLAddress(server.address(of: "postgres")))
    _ = try other.run(
      [
        PostgreSQLStatement("BEGIN"),
        PostgreSQLStatement(#"UPDATE company."Employee" SET "age" = 2"#),
      ])
    var changes = Changes(store)
    try changes.insert("Employee", ["name": "later"])
    try changes.save()
    #expect(try !store.checkForExternalChanges())
    try other.run(PostgreSQLStatement("COMMIT"))
    #expect(try store.checkForExternalChanges())
    #expect(try !store.checkForExternalChanges())
  }
}
#endif
