#if PostgreSQL
import DatastoreCore
import SwiftDatastore
import SwiftDatastorePostgreSQL
import Testing

/// Conflicts that a server with distributed tables tells by the names of their parts.
extension DistributionTests {
  // Promise: a unique conflict names a shard → the object and property are named.
  @Test("A unique conflict is understood whose names carry the number of a part of the table")
  func shardNames() async throws {
    let long = "mail_of_a_person_that_nobody_else_may_have_at_any_time"
    _ = try psql(
      """
      CREATE TABLE public.thing (id int PRIMARY KEY, mail text, CONSTRAINT short UNIQUE (id, mail),
        CONSTRAINT \(long) UNIQUE (mail));
      CREATE FUNCTION public.clash() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        RAISE unique_violation USING SCHEMA = 'public', TABLE = 'thing_102008', CONSTRAINT =
          CASE WHEN NEW.id = 1 THEN 'short_102008' ELSE '\(long.prefix(47))_0a1b2c3d_102008' END;
      END $$;
      CREATE TRIGGER clash BEFORE INSERT ON public.thing FOR EACH ROW EXECUTE FUNCTION public.clash()
      """)
    let datastore = try SwiftDatastore(showing: address, readOnly: false)
    for (id, properties) in [(1, ["id", "mail"]), (2, ["mail"])] {
      try await datastore.newContext().perform { context in
        let entity = try #require(context.core.graph.schema.entity(named: "thing"))
        let thing = try #require(try context.makeObject(of: entity) as? DynamicObject)
        thing["id"] = .integer(Int64(id))
        thing["mail"] = "a"
        let error = #expect(throws: StoreError.self) { try context.saveChanges() }
        guard case .notUnique("thing", properties, _)? = error else {
          Issue.record("\(error.debugDescription)")
          return
        }
      }
    }
    try datastore.close()
  }
}
#endif
