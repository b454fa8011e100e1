import DatastoreBrowser
import DatastoreCore
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import Testing

/// `datastore schema` offers relationships that the file does not declare.
@Suite("Suggested relationships on the command line")
struct SuggestionCommandTests {
  @Test("Text and JSON list them with what speaks for them; what was accepted can be queried")
  func listed() async throws {
    let program = try Program()
    let file = program.directory.url.appending(path: "s.sqlite")
    try SQLiteFile.make(
      at: file,
      """
      CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE bill (id INTEGER PRIMARY KEY, customer_id INTEGER);
      INSERT INTO customer VALUES (1, 'Ann'), (2, 'Bob');
      INSERT INTO bill VALUES (1, 1), (2, 2), (3, 2), (4, 2), (5, 7);
      """)
    let text = try await program.run("schema", "s.sqlite")
    #expect(
      text.output.hasSuffix(
        """

        relationships that are not declared
        └─ bill.customer_id → customer.id  4 of 5 values are found in customer.id

        """), "\(text)")
    let json = try await program.run("schema", "s.sqlite", "--format", "json")
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    let suggestions = try #require(object["suggestedRelationships"] as? [[String: Any]])
    #expect(suggestions.count == 1 && suggestions[0]["found"] as? Int == 4)
    #expect(suggestions[0]["referencedTable"] as? String == "customer")
    // The file in which the browser keeps accepted suggestions.
    var annotations = SchemaAnnotations()
    annotations.setRelationship(
      .accepted, of: "customer_id", in: "bill", to: .init(table: "customer", column: "id"))
    let kept = try #require(
      AnnotationsFile(
        of: KeptSubject(store: file),
        in: program.directory.url.appending(path: "state").appending(path: "datastore")))
    try kept.write(annotations)
    let rows = try await program.run(
      "query", "s.sqlite", "bill", "--columns", "id, customer.name", "--where",
      "customer.name == \"Bob\" OR customer.name == NULL")
    #expect(rows.output == "id,customer.name\n2,Bob\n3,Bob\n4,Bob\n5,\n", "\(rows)")
  }
}
