#if PostgreSQL
import DatastoreCore
import SwiftDatastore
import SwiftDatastorePostgreSQL
import Testing

/// Conflicts that a server with distributed tables reports by the names of their parts.
extension DistributionTests {
  // Promise: a unique conflict names a shard → the object and property are named.
  @Test(
    "A unique conflict is understood whose names carry the number of a part of the table",
    .enabled(if: try DistributionTests.isOneMachine))
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

  // Promise: a table of somebody else is on several machines → it is edited as any other, and conflicts are
  // seen.
  @Test("A table that somebody else has distributed is edited, and conflicts are seen")
  func thirdPartyTable() async throws {
    _ = try psql(
      """
      CREATE TABLE public.parcel (depot int NOT NULL, id int NOT NULL, label text, weight int, PRIMARY KEY (depot, id))
      """)
    if try !Self.isOneMachine {
      _ = try psql("SELECT create_distributed_table('public.parcel', 'depot')")
    }
    _ = try psql(
      "INSERT INTO public.parcel SELECT i % 3, i, 'p' || i, i FROM generate_series(1, 9) AS i")
    @Sendable func rows() throws -> String {
      try psql("SELECT string_agg(id || label, ' ' ORDER BY id) FROM public.parcel")
    }
    let datastore = try SwiftDatastore(showing: address, readOnly: false)
    try await datastore.newContext().perform { context in
      let request = FetchRequest(entity: "parcel", sortDescriptors: [SortDescriptor(["id"])])
      let parcels: [DynamicObject] = try context.fetch(request)
      #expect(parcels.count == 9)
      parcels[0]["label"] = "changed"
      context.deleteObject(parcels[1])
      let new = try context.createObject(entityName: "parcel")
      (new["depot"], new["id"], new["label"]) = (1, 20, "new")
      try context.saveChanges()
      #expect(try rows() == "1changed 3p3 4p4 5p5 6p6 7p7 8p8 9p9 20new")
      for deletes in [false, true] {
        let parcel = parcels[deletes ? 3 : 2]
        _ = parcel["label"]
        _ = try psql("UPDATE public.parcel SET label = 'theirs' WHERE id = \(deletes ? 4 : 3)")
        if deletes { context.deleteObject(parcel) } else { parcel["label"] = "mine" }
        #expect(throws: ConflictError.self) { try context.saveChanges() }
        context.revertChanges()
      }
      let heavy = Predicate.comparison(.init(.keyPath(["weight"]), .greaterThan, .value(7)))
      #expect(
        try context.updateMany(entityName: "parcel", where: heavy, values: ["label": "heavy"]) == 2)
      #expect(try context.deleteMany(entityName: "parcel", where: heavy) == 2)
      #expect(try rows() == "1changed 3theirs 4theirs 5p5 6p6 7p7 20new")
    }
    try datastore.close()
  }
}
#endif
