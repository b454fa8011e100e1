import DatastoreCore
import DatastoreExport
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import SampleModel
import SwiftDatastore
import Testing

/// Classes that are written for a file compile against the library.
@Suite("Classes for a schema")
struct SchemaClassesTests {
  @Test("Those of the sample model compile")
  func sample() throws {
    let schema = try SwiftDatastoreModel.sampleCompanies().schema
    let outline = SchemaOutline(
      entities: schema.entities.map { EntityOutline($0.description, kind: "table") })
    #expect(try SnippetCompiler().errors(in: SchemaFormat.swift.text(of: outline)) == [])
  }

  @Test("Those of a third-party file compile, whatever its names are")
  func foreign() throws {
    let directory = try TemporaryDirectory()
    let url = directory.url.appending(path: "foreign.sqlite")
    try SQLiteFile.make(
      at: url,
      """
      CREATE TABLE "data" (id INTEGER PRIMARY KEY, "key" TEXT NOT NULL, "entity" TEXT, "class" INTEGER,
        "unit price (€)" DECIMAL(10,2) NOT NULL DEFAULT 1.5, "2nd" BLOB DEFAULT x'00ff', self REAL,
        "äöü" TEXT DEFAULT 'a"b\\c', "日本" TEXT, anything, flag BOOLEAN NOT NULL DEFAULT 1,
        hash INT DEFAULT 'no number', other_id INTEGER REFERENCES "data", UNIQUE ("key", "entity"));
      CREATE TABLE "Data" ("Any" INTEGER) ;
      """.replacing("CREATE TABLE \"Data\"", with: "CREATE TABLE \"my data\"")
        + """
        CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE member (team INTEGER REFERENCES team, data INTEGER REFERENCES "data",
          PRIMARY KEY (team, data));
        CREATE TABLE pair (a INTEGER, b INTEGER, PRIMARY KEY (a, b)) WITHOUT ROWID;
        CREATE TABLE child (a INTEGER, b INTEGER, FOREIGN KEY (a, b) REFERENCES pair (a, b));
        CREATE VIEW "by team" AS SELECT team, count(*) FROM member GROUP BY team;
        """)
    let store = try SQLiteStore(existing: url, isReadOnly: true)
    let text = SchemaFormat.swift.text(of: try SchemaOutline(store))
    try store.close()
    #expect(try SnippetCompiler().errors(in: text) == [], "\(text)")
    #expect(text.contains("override class var entityName: String { \"data\" }"), "\(text)")
    #expect(text.contains("(named: \"unit price (€)\") var unitPrice: Decimal"), "\(text)")
  }

  @Test("A keyword behind $, and properties that are called like types, compile and open the file")
  func namesOfRealFiles() throws {
    let folder = try TemporaryDirectory()
    let url = folder.url.appending(path: "names.sqlite")
    try SQLiteFile.make(
      at: url,
      """
      CREATE TABLE Genre (Genre INTEGER PRIMARY KEY, String TEXT, "in" TEXT NOT NULL UNIQUE, "Date" DATE);
      CREATE TABLE class (id INTEGER PRIMARY KEY, "class" TEXT, "where" TEXT, UNIQUE ("class", "where"));
      CREATE TABLE Track (TrackId INTEGER PRIMARY KEY, Track TEXT, Genre INTEGER REFERENCES Genre,
        "repeat" INTEGER REFERENCES class, anything, "Value" NUMERIC DEFAULT 3);
      CREATE TABLE note (line TEXT, page INTEGER, PRIMARY KEY (line, page)) WITHOUT ROWID;
      CREATE TABLE likes (genre INTEGER REFERENCES Genre, class INTEGER REFERENCES class,
        PRIMARY KEY (genre, class));
      CREATE VIEW "tracks of a genre" AS SELECT Genre, count(*) AS tracks FROM Track GROUP BY Genre;
      INSERT INTO Genre VALUES (1, 'a', 'b', '2024-02-29'), (2, NULL, 'c', NULL);
      INSERT INTO class VALUES (7, 'x', 'y');
      INSERT INTO Track VALUES (1, 't', 1, 7, 'text', 1), (2, 'u', 1, NULL, 5, 1.5), (3, 'v', NULL, 7, x'00', 2.25);
      INSERT INTO note VALUES ('l', 1);
      INSERT INTO likes VALUES (1, 7), (2, 7);
      """)
    let store = try SQLiteStore(existing: url, isReadOnly: true)
    let text = SchemaFormat.swift.text(of: try SchemaOutline(store))
    try store.close()
    let answer = try SnippetCompiler().run(
      text
        + """

        let datastore = try SwiftDatastore(dataModel: try makeModel(), url: URL(fileURLWithPath: "\(url.path)"))
        let lines = try await datastore.newContext().perform { context in
          var lines = try datastore.schema.entities.map { entity in
            "\\(entity.name) \\(try context.fetch(FetchRequest(entity: entity.name)).count)"
          }
          let tracks: [Track] = try context.fetch(orderBy: [.asc(\\.$TrackId)])
          lines += tracks.map { "\\($0.track ?? "") \\($0.genre?.in ?? "") \\($0.repeat?.class ?? "")" }
          return lines
        }
        print(lines.joined(separator: "\\n"))

        """.replacing("\\\\", with: "\\"))
    #expect(
      answer == """
        Genre 2
        class 1
        Track 3
        note 1
        tracks of a genre 2
        t b x
        u b 
        v  x

        """, "\(text)\n\(answer)")
  }

  @Test("Those of a Core Data store compile, and open a copy of it")
  func coreData() throws {
    let folder = try TemporaryDirectory()
    let (url, copy) = (folder.file("Office.storedata"), folder.file("copy.sqlite"))
    try CoreDataSample.office().write(to: url)
    let source = try SwiftDatastore(opening: url, readOnly: true)
    let destination = try SwiftDatastore(schema: source.schema, url: copy)
    _ = try source.copyObjects(into: destination)
    try destination.close()
    try source.close()
    let store = try SQLiteStore(existing: url)
    let text = SchemaFormat.swift.text(of: try SchemaOutline(store))
    try store.close()
    let answer = try SnippetCompiler().run(
      text
        + """

        let datastore = try SwiftDatastore(dataModel: try makeModel(), url: URL(fileURLWithPath: "\(copy.path)"))
        let lines = try await datastore.newContext().perform { context in
          let people: [Person] = try context.fetch(orderBy: [.asc(\\.$name)])
          return people.map {
            "\\(type(of: $0)) \\($0.name) \\($0.company?.name ?? "") \\($0.tags.count) \\($0.friends.count)"
          }
        }
        print(lines.joined(separator: "\\n"))

        """.replacing("\\\\", with: "\\"))
    #expect(
      answer == """
        Manager Ann Acme 2 2
        Employee Bob Acme 0 1
        Trainee Cyd  1 1
        Employee Dan Globex 0 0

        """, "\(text)\n\(answer)")
  }

  @Test("Those with values of every type and each option compile")
  func everyOption() throws {
    let values: [AttributeType: Value] = [
      .integer8: 1, .unsigned64: 1, .boolean: 1, .float: .real(0.5), .double: 2, .decimal: "1.25",
      .string: "x\u{1B}\n\"", .date: .real(3.5), .uuid: .blob(Data(0..<16)),
      .data: .blob(Data([1, 2])), .url: "http://a",
    ]
    var properties = AttributeType.allCases.flatMap { type in
      [true, false].map { isOptional in
        PropertyDescription.attribute(
          AttributeDescription(
            name: "\(type.rawValue)\(isOptional ? "Optional" : "")", type: type,
            isOptional: isOptional, defaultValue: values[type] ?? .null, isIndexed: isOptional,
            renamedFrom: "old \(type.rawValue)\(isOptional)"))
      }
    }
    properties += [
      .relationship(
        RelationshipDescription(
          name: "others", kind: .orderedToMany, destination: "Every", inverse: "others",
          deleteRule: .deny, minimumCount: 1, maximumCount: 3, renamedFrom: "old others"))
    ]
    let every = EntityDescription(
      name: "Every", properties: properties, uniqueness: [["string", "date"]], renamedFrom: "Old")
    let outline = SchemaOutline(entities: [EntityOutline(every, kind: "table")])
    let text = SchemaFormat.swift.text(of: outline)
    #expect(try SnippetCompiler().errors(in: text) == [], "\(text)")
  }
}
