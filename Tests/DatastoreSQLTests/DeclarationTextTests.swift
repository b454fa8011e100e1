import DatastoreCore
import DatastoreSQL
import DatastoreTestSupport
import Testing

/// The declarations of tables, indexes and references.
@Suite("Native tables as SQL")
struct DeclarationTextTests {
  private let wordings = Wordings()

  private func statement(_ place: Int, _ builder: QueryBuilder) throws -> SQLFragment {
    let statements = NativeTables(mapping: builder.mapping).statements
    return place < statements.count ? statements[place] : "none"
  }

  private func index(_ place: Int, _ builder: QueryBuilder) throws -> SQLFragment {
    let indexes = NativeTables(mapping: builder.mapping).indexes
    return place < indexes.count ? indexes[place] : "none"
  }

  @Test func table() throws {
    try wordings.expect(
      sqlite: #"CREATE TABLE "Company" ("_id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL)"#,
      postgreSQL:
        #"CREATE TABLE "Company" ("_id" bigint PRIMARY KEY, "name" text COLLATE "C" NOT NULL)"#
    ) {
      try statement(0, $0)
    }
  }

  @Test func tableWithReferences() throws {
    try wordings.expect(
      sqlite: """
        CREATE TABLE "Employee" ("_id" INTEGER PRIMARY KEY, "name" TEXT, "age" INTEGER, "salary"
          REAL, "email" TEXT, "photo" BLOB, "bonus", "company" INTEGER REFERENCES "Company"
          ("_id") DEFERRABLE INITIALLY DEFERRED)
        """,
      postgreSQL: """
        CREATE TABLE "Employee" ("_id" bigint PRIMARY KEY, "name" text COLLATE "C", "age"
          bigint, "salary" double precision, "email" text COLLATE "C", "photo" bytea, "bonus"
          numeric, "company" bigint)
        """
    ) {
      try statement(1, $0)
    }
  }

  @Test func tableOfOrderedMembers() throws {
    try wordings.expect(
      sqlite: """
        CREATE TABLE "Task" ("_id" INTEGER PRIMARY KEY, "title" TEXT, "done" INTEGER, "estimate"
          INTEGER, "owner" INTEGER REFERENCES "Employee" ("_id") DEFERRABLE INITIALLY DEFERRED,
          "_order_tasks" INTEGER)
        """,
      postgreSQL: """
        CREATE TABLE "Task" ("_id" bigint PRIMARY KEY, "title" text COLLATE "C", "done" boolean,
          "estimate" integer, "owner" bigint, "_order_tasks" bigint)
        """
    ) {
      try statement(2, $0)
    }
  }

  @Test func smallTable() throws {
    try wordings.expect(
      sqlite: #"CREATE TABLE "Tag" ("_id" INTEGER PRIMARY KEY, "label" TEXT)"#,
      postgreSQL: #"CREATE TABLE "Tag" ("_id" bigint PRIMARY KEY, "label" text COLLATE "C")"#
    ) {
      try statement(3, $0)
    }
  }

  @Test func tableOfPairs() throws {
    try wordings.expect(
      sqlite: """
        CREATE TABLE "Employee_tags" ("Employee" INTEGER NOT NULL REFERENCES "Employee" ("_id")
          ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED, "tags" INTEGER NOT NULL REFERENCES
          "Tag" ("_id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED, PRIMARY KEY
          ("Employee", "tags")) WITHOUT ROWID
        """,
      postgreSQL: """
        CREATE TABLE "Employee_tags" ("Employee" bigint NOT NULL, "tags" bigint NOT NULL,
          PRIMARY KEY ("Employee", "tags"))
        """
    ) {
      try statement(4, $0)
    }
  }

  @Test func indexOfAnAttribute() throws {
    try wordings.expect(
      sqlite: #"CREATE INDEX IF NOT EXISTS "Employee_name_index" ON "Employee" ("name")"#,
      postgreSQL: """
        CREATE INDEX IF NOT EXISTS "Employee_name_index" ON "Employee" ("name" NULLS FIRST,
          "_id")
        """
    ) {
      try index(0, $0)
    }
  }

  @Test func indexOfAUniqueAttribute() throws {
    try wordings.expect(
      sqlite: #"CREATE UNIQUE INDEX IF NOT EXISTS "Employee_email_index" ON "Employee" ("email")"#,
      postgreSQL: """
        ALTER TABLE "Employee" ADD CONSTRAINT "Employee_email_index" UNIQUE ("email") DEFERRABLE
          INITIALLY DEFERRED
        """
    ) {
      try index(1, $0)
    }
  }

  @Test func indexOfAReference() throws {
    try wordings.expect(
      sqlite: #"CREATE INDEX IF NOT EXISTS "Employee_company_index" ON "Employee" ("company")"#,
      postgreSQL: """
        CREATE INDEX IF NOT EXISTS "Employee_company_index" ON "Employee" ("company" NULLS
          FIRST, "_id")
        """
    ) {
      try index(2, $0)
    }
  }

  @Test func indexOfAReferenceWithAnOrder() throws {
    try wordings.expect(
      sqlite: #"CREATE INDEX IF NOT EXISTS "Task_owner_index" ON "Task" ("owner")"#,
      postgreSQL:
        #"CREATE INDEX IF NOT EXISTS "Task_owner_index" ON "Task" ("owner" NULLS FIRST, "_id")"#
    ) {
      try index(3, $0)
    }
  }

  @Test func indexOfPairs() throws {
    try wordings.expect(
      sqlite: #"CREATE INDEX IF NOT EXISTS "Employee_tags_tags_index" ON "Employee_tags" ("tags")"#,
      postgreSQL: """
        CREATE INDEX IF NOT EXISTS "Employee_tags_tags_index" ON "Employee_tags" ("tags" NULLS
          FIRST)
        """
    ) {
      try index(4, $0)
    }
  }
}
