import DatastoreCore
import DatastoreTestSupport
import Foundation
import Testing

/// Core Data stores and models in the program that ships, with sqlite3 as the witness.
@Suite(
  "Core Data on the command line",
  .enabled(if: SQLiteCommand.isPresent, "\(SQLiteCommand.absence)"))
struct CoreDataCommandTests {
  private let program: Program

  init() throws { program = try Program() }

  private func run(_ arguments: String...) async throws -> Program.Outcome {
    try await program.start(arguments).outcome()
  }

  private func file(_ name: String) -> URL { program.directory.url.appending(path: name) }

  private func makeStore(
    _ name: String = "Office.storedata", _ sql: String = "",
    _ change: (inout CoreDataSample) -> Void = { _ in }
  ) throws {
    var sample = CoreDataSample.office()
    change(&sample)
    try sample.write(to: file(name))
    if !sql.isEmpty { try SQLiteFile.make(at: file(name), sql) }
  }

  /// Two versions of a source model, of which the second one is current.
  private func makeModels() throws {
    let second = SourceModel.office
      .replacingOccurrences(of: "name=\"floor\"", with: "name=\"storey\" elementID=\"floor\"")
      .replacingOccurrences(
        of: "<attribute name=\"isActive\"",
        with:
          "<attribute name=\"mail\" optional=\"YES\" attributeType=\"String\"/><attribute name=\"isActive\""
      )
    try program.directory.write(SourceModel.office, to: "M.xcdatamodeld/M.xcdatamodel/contents")
    try program.directory.write(second, to: "M.xcdatamodeld/M 2.xcdatamodel/contents")
    try program.directory.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>M 2.xcdatamodel</string></dict></plist>
      """, to: "M.xcdatamodeld/.xccurrentversion")
  }

  @Test("A model is read in every format, with its versions")
  func models() async throws {
    try makeModels()
    let text = try await run("schema", "M.xcdatamodeld")
    #expect(text.status == 0, "\(text)")
    for line in [
      "Manager (entity, inherits from Person)", "M is a version\n",
      "M 2 is a version, the current one",
      "Company.rich is a fetched property", "renamed from floor", "default 1.5",
    ] {
      #expect(text.output.contains(line), "\(line): \(text.output)")
    }
    for format in ["graph", "mermaid", "dot", "json", "swift", "lock", "xcdatamodel"] {
      let outcome = try await run("schema", "M.xcdatamodeld", "--format", format)
      #expect(outcome.status == 0 && outcome.output.contains("deputies"), "\(format): \(outcome)")
    }
    let one = try await run("schema", "M.xcdatamodeld", "Company")
    #expect(one.output.contains("Company") && !one.output.contains("Manager (entity"))
    let compiled = CoreDataSample.office().archivedModel()
    for name in ["Office.mom", "Office.momd/Office.mom"] {
      try FileManager.default.createDirectory(
        at: file(name).deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(compiled).write(to: file(name))
    }
    let archives = [try await run("schema", "Office.mom"), try await run("schema", "Office.momd")]
    #expect(archives[0] == archives[1] && archives[0].output.contains("Trainee (entity"))
    #expect(try await run("schema", "M.xcdatamodeld", "--format", "lock").output.contains("storey"))
  }

  @Test("Versions of a model are compared, and what is no model is refused")
  func comparing() async throws {
    try makeModels()
    let outcome = try await run(
      "schema", "M.xcdatamodeld/M.xcdatamodel", "--compare", "M.xcdatamodeld")
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.output.contains("mail") && outcome.output.contains("storey"), "\(outcome)")
    try program.directory.write("<html/>", to: "Bad.xcdatamodel/contents")
    try program.directory.write("bplist00", to: "Bad.mom")
    try FileManager.default.createDirectory(
      at: file("Empty.momd"), withIntermediateDirectories: true)
    for (name, status, reason) in [
      ("Bad.xcdatamodel", Int32(65), "not that of a model"),
      ("Bad.mom", 65, "not a binary property list"),
      ("Empty.momd", 65, "no version of it"), ("None.mom", 66, "There is no file"),
    ] {
      let outcome = try await run("schema", name)
      #expect(outcome.status == status && outcome.errors.contains(reason), "\(outcome)")
    }
  }

  @Test("What is written as a model for Xcode is read as the same schema")
  func roundTrip() async throws {
    try makeModels()
    try makeStore()
    for original in ["Office.storedata", "M.xcdatamodeld"] {
      let written = try await run(
        "schema", original, "--format", "xcdatamodel", "-o", "\(original).xcdatamodel")
      #expect(written.status == 0, "\(written)")
      let outcome = try await run("schema", original, "--compare", "\(original).xcdatamodel")
      #expect(outcome.status == 0 && outcome.output.isEmpty, "\(original): \(outcome)")
    }
    let swift = try await run("schema", "Office.storedata", "--format", "swift")
    #expect(swift.output.contains("class Trainee: Employee"), "\(swift.output)")
  }

  @Test("A native store is migrated to a version of a model")
  func migrating() async throws {
    try makeModels()
    try makeStore("First.storedata") {
      $0 = CoreDataSample([
        CoreDataSample.Entity(
          "Company", [CoreDataSample.Attribute("name", CoreDataSample.Attribute.string)])
      ])
      $0.insert("Company", 1, ["name": "Acme"])
    }
    #expect(try await run("copy", "First.storedata", "--into", "n.sqlite").status == 0)
    let forecast = try await run("migrate", "n.sqlite", "--to", "M.xcdatamodeld", "--forecast")
    #expect(forecast.output.contains("Manager"), "\(forecast)")
    let migrated = try await run("migrate", "n.sqlite", "--to", "M.xcdatamodeld")
    #expect(migrated.status == 0, "\(migrated)")
    #expect(
      try await run("schema", "n.sqlite", "--compare", "M.xcdatamodeld").output.isEmpty)
    #expect(
      try await run("query", "n.sqlite", "Company", "--columns", "name", "--format", "csv").output
        == "name\nAcme\n")
  }

  @Test("The model that is named is that of a store which has none")
  func namedModel() async throws {
    try Data(CoreDataSample.office().archivedModel()).write(to: file("Office.mom"))
    try makeStore { $0.cache = .null }
    let guessed = try await run("query", "Office.storedata", "Person", "--columns", "name,title1")
    #expect(guessed.errors.contains("guessed") && guessed.output.contains("Chief"), "\(guessed)")
    let named = try await run(
      "query", "Office.storedata", "Manager", "--model", "Office.mom", "--columns",
      "name, title, company.name", "--format", "csv")
    #expect(named.errors.isEmpty && named.output.hasSuffix("Ann,Chief,Acme\n"), "\(named)")
    let copied = try await run(
      "copy", "Office.storedata", "--model", "Office.mom", "--into", "new.sqlite")
    #expect(copied.status == 0, "\(copied)")
    #expect(
      try await run("query", "new.sqlite", "Manager", "--columns", "title", "--format", "csv")
        .output
        == "title\nChief\n")
    let doctor = try await run("doctor", "Office.storedata", "--model", "Office.mom")
    #expect(doctor.status == 0, "\(doctor)")
  }

  @Test("A copy has all objects, relationships and orders, and says what is otherwise")
  func copying() async throws {
    try makeStore { $0.hasHistory = true }
    let sound = try await run("copy", "Office.storedata", "--into", "new.sqlite")
    #expect(sound.status == 0, "\(sound)")
    #expect(
      sound.output.contains("Copied 21 objects of Office.storedata into new.sqlite."), "\(sound)")
    #expect(sound.output.contains("- Person.neighbours is a fetched property"))
    for words in [
      ["Person", "--columns", "name, born, pay, company.name, spouse.name", "--order-by", "name"],
      ["Manager", "--columns", "name, reports.@count"],
      ["Tag", "--columns", "label, children.@count, people.@count", "--order-by", "label"],
      [
        "CHANGE", "--columns", "changeType, entityPK, transactionID.timestamp", "--order-by",
        "entityPK",
      ],
    ] {
      let (old, new) = (
        try await program.start(["query", "Office.storedata"] + words + ["--format", "csv"])
          .outcome(),
        try await program.start(["query", "new.sqlite"] + words + ["--format", "csv"]).outcome()
      )
      #expect(
        old.status == 0 && old.output == new.output.replacingOccurrences(of: ".0,", with: ","),
        "\(old) \(new)")
    }
    let broken = """
      UPDATE ZPERSON SET ZCOMPANY = 7, ZNAME = NULL WHERE Z_PK = 4; UPDATE ZPERSON SET ZNAME = 'Bob' WHERE Z_PK = 3;
      UPDATE ZPERSON SET ZPHOTO = x'0230414535463342312D374637422D344336382D394230422D32433444394236433144313100' WHERE Z_PK = 2;
      INSERT INTO Z_5TAGS (Z_5PEOPLE, Z_9TAGS) VALUES (2, 99);
      """
    try makeStore("Broken.storedata", broken)
    let copied = try await run("copy", "Broken.storedata", "--into", "broken.sqlite")
    #expect(copied.status == 0, "\(copied)")
    for line in [
      "- Person.name may be missing in the new store: 1 of its objects have none",
      "- Person.name is not unique in the new store: some objects share it",
      "1 of what Person.tags leads to is not there",
      "1 reference of Employee.company: their destinations do not exist",
      "1 value of Employee.photo: the files that hold them do not exist",
    ] {
      #expect(copied.output.contains(line), "\(line): \(copied.output)")
    }
    #expect(
      try await run("query", "broken.sqlite", "Person", "--columns", "count", "--format", "csv")
        .output
        == "count\n4\n")
  }

  @Test("Nothing of a store, its log and its folder is changed by any command")
  func untouched() async throws {
    try FileManager.default.createDirectory(at: file("store"), withIntermediateDirectories: true)
    try CoreDataSample.office().write(to: file("store/Office.storedata"), isInLogOnly: true)
    func content() throws -> [String: Data] {
      let names = try FileManager.default.contentsOfDirectory(atPath: file("store").path)
      return Dictionary(
        uniqueKeysWithValues: try names.map { ($0, try Data(contentsOf: file("store/\($0)"))) })
    }
    let before = try content()
    #expect(before.keys.sorted() == ["Office.storedata", "Office.storedata-wal"])
    for words in [
      ["query"], ["query", "Person"], ["schema"], ["doctor"], ["copy", "--into", "c.sqlite"],
    ] {
      let arguments = [words[0], "store/Office.storedata"] + words.dropFirst()
      let outcome = try await program.start(arguments).outcome()
      // A log that is not in the file yet needs attention.
      #expect(outcome.status == (words[0] == "doctor" ? 1 : 0), "\(outcome)")
      #expect(try content() == before, "\(words)")
    }
  }
}
