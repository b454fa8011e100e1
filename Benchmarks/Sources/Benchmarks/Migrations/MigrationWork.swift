import Foundation
import SwiftDatastore

/// One migration: by the library, by hand, and by GRDB's migrator.
struct MigrationWork {
  let name: String
  /// The most that the library may take, as a multiple of the hand-written SQL.
  let goal: Double
  /// The limit in seconds at any size; nil if it writes rows.
  var limit: Double?
  let migrate: @Sendable (URL) async throws -> Void
  let byHand: Statements

  /// The work by hand.
  enum Statements {
    /// SQL in one transaction, which GRDB's migrator runs, too.
    case sql(String)
    /// More than SQL.
    case program(@Sendable (SQLiteConnection) throws -> Void)
  }

  /// Opens a file with classes that its model has become.
  private static func opening(
    _ policy: MigrationPolicy = .lossless, _ types: DatastoreObject.Type...
  ) -> @Sendable (URL) async throws -> Void {
    let types = types
    return { url in
      try await SwiftDatastore.open(
        dataModel: SwiftDatastoreModel(from: types), url: url, migration: policy, backup: .none
      ).close()
    }
  }

  private static func opening(
    _ model: @escaping @Sendable () throws -> SwiftDatastoreModel, _ chain: MigrationChain,
    _ step: CustomSchemaMappingProvider
  ) -> @Sendable (URL) async throws -> Void {
    { url in
      try await SwiftDatastore.open(
        history: SchemaHistory(Old.model(), model(), migrationChain: chain), url: url,
        mappings: [step], migration: .declared(.all), backup: .none
      ).close()
    }
  }

  /// Makes the table again, as <https://www.sqlite.org/lang_altertable.html> says.
  private static func rebuilding(
    _ columns: String, _ values: String, _ more: String = ""
  ) -> Statements {
    .sql(
      """
      CREATE TABLE new_Person (\(columns));
      INSERT INTO new_Person SELECT \(values) FROM Person;
      \(more)
      DROP TABLE Person;
      ALTER TABLE new_Person RENAME TO Person;
      CREATE INDEX person_company ON Person (company);
      """)
  }

  static let all: [MigrationWork] = [
    MigrationWork(
      name: "add an attribute", goal: 1.05, limit: 0.05,
      migrate: opening(.lossless, Added.Person.self, Added.Company.self),
      byHand: .sql("ALTER TABLE Person ADD COLUMN email TEXT")),
    MigrationWork(
      name: "rename an attribute", goal: 1.05, limit: 0.05,
      migrate: opening(.lossless, Renamed.Person.self, Renamed.Company.self),
      byHand: .sql("ALTER TABLE Person RENAME COLUMN phone TO tel")),
    MigrationWork(
      name: "drop an attribute", goal: 1.05,
      migrate: opening(.declared(.all), Dropped.Person.self, Dropped.Company.self),
      byHand: .sql("ALTER TABLE Person DROP COLUMN note")),
    MigrationWork(
      name: "change a type", goal: 1.2,
      migrate: opening(.lossless, Retyped.Person.self, Retyped.Company.self),
      byHand: rebuilding(
        """
        _id INTEGER PRIMARY KEY, name TEXT NOT NULL, age TEXT NOT NULL, phone TEXT, note TEXT, \
        company INTEGER REFERENCES Company (_id)
        """, "_id, name, CAST(age AS TEXT), phone, note, company")),
    MigrationWork(
      name: "required, with a default", goal: 1.2,
      migrate: opening(.lossless, Required.Person.self, Required.Company.self),
      byHand: rebuilding(
        """
        _id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER NOT NULL, \
        phone TEXT NOT NULL DEFAULT 'none', note TEXT, company INTEGER REFERENCES Company (_id)
        """, "_id, name, age, coalesce(phone, 'none'), note, company")),
    MigrationWork(
      name: "split an entity", goal: 1.2,
      migrate: opening(Split.model, ["Old", "Split"], Split.step),
      byHand: rebuilding(
        """
        _id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER NOT NULL, \
        company INTEGER REFERENCES Company (_id)
        """, "_id, name, age, company",
        """
        CREATE TABLE Details (_id INTEGER PRIMARY KEY, phone TEXT, note TEXT);
        INSERT INTO Details SELECT _id, phone, note FROM Person;
        """)),
    MigrationWork(
      name: "to-one to to-many", goal: 1.2,
      migrate: opening(.lossless, Several.Person.self, Several.Company.self),
      byHand: rebuilding(
        """
        _id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER NOT NULL, phone TEXT, note TEXT, \
        company INTEGER
        """, "_id, name, age, phone, note, NULL",
        """
        CREATE TABLE companies_people (companies INTEGER NOT NULL REFERENCES Company (_id), \
        people INTEGER NOT NULL REFERENCES Person (_id), PRIMARY KEY (people, companies)) WITHOUT ROWID;
        INSERT INTO companies_people SELECT company, _id FROM Person WHERE company IS NOT NULL;
        CREATE INDEX companies_people_index ON companies_people (companies);
        """)),
    MigrationWork(
      name: "a closure on every row", goal: 3,
      migrate: opening(Custom.model, ["Old", "Custom"], Custom.step),
      byHand: .program(splittingNames)),
  ]

  /// Reads each row, makes two names of one, and writes it.
  private static let splittingNames: @Sendable (SQLiteConnection) throws -> Void = { connection in
    try connection.run(
      """
      PRAGMA foreign_keys = OFF;
      BEGIN IMMEDIATE;
      CREATE TABLE new_Person (_id INTEGER PRIMARY KEY, first TEXT NOT NULL, last TEXT NOT NULL, \
      age INTEGER NOT NULL, phone TEXT, note TEXT, company INTEGER REFERENCES Company (_id));
      """)
    do {
      let read = try connection.statement(
        "SELECT _id, name, age, phone, note, company FROM Person")
      let write = try connection.statement(
        "INSERT INTO new_Person VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")
      while try read.step() {
        let name = read.text(1) ?? ""
        let end = name.utf8.firstIndex(of: UInt8(ascii: " ")) ?? name.endIndex
        write.bind(read.integer(0), at: 1)
        write.bind(String(name[..<end]), at: 2)
        write.bind(
          end == name.endIndex ? "" : String(name[name.utf8.index(after: end)...]), at: 3)
        write.bind(read.integer(2), at: 4)
        write.bind(read.text(3), at: 5)
        write.bind(read.text(4), at: 6)
        write.bind(read.isNull(5) ? nil : read.integer(5), at: 7)
        try write.run()
      }
    }
    try connection.run(
      """
      DROP TABLE Person;
      ALTER TABLE new_Person RENAME TO Person;
      CREATE INDEX person_company ON Person (company);
      COMMIT;
      """)
  }
}
