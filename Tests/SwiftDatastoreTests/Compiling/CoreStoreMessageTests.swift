import Testing

/// The compiler's messages for code of CoreStore that CoreStoreCompatibility cannot support.
@Suite struct CoreStoreMessageTests {
  @Test(arguments: [
    ("_ = DataStack(xcodeModelName: \"MyModel\")", "use DataStack(schema)"),
    ("_ = DataStack(migrationChain: [\"V1\", \"V2\"])", "use DataStack(schema)"),
    ("_ = Value.Required<String>.self", "Use @Field.Stored"),
    ("_ = XcodeDataModelSchema.self", "use CoreStoreSchema"),
    ("_ = FieldCoders.NSCoding.self", "use FieldCoders.Json"),
    ("_ = DiffableDataSource.self", "ListSnapshot.difference(from:)"),
    ("_ = CoreStoreManagedObject.self", "use CoreStoreObject"),
    ("func f(_ s: CoreStoreSchema) { _ = s.rawModel() }", "There is no NSManagedObjectModel"),
    (
      "_ = CoreStoreSchema(modelVersion: \"V1\", entities: [], versionLock: [\"A\": [0x1, 0x2]])",
      "print(schema.versionLock)"
    ),
    ("_ = VersionLock([\"A\": [0x1]])", "print(schema.versionLock)"),
    ("func f(_ l: VersionLock) { _ = l.hashesByEntityName }", "print(schema.versionLock)"),
    ("_ = SQLiteStore().storeOptions", "There is no coordinator"),
    (
      "func f(_ d: DataStack) { d.createFetchedResultsController(From<Person>()) }",
      "Use FetchedObjectsController"
    ),
    (
      "func f(_ t: UnsafeDataTransaction) { t.monitorList(From<Person>()) }",
      "use the stack"
    ),
    (
      "func f(_ t: UnsafeDataTransaction) { t.monitorSectionedList(From<Person>()) }",
      "use the stack"
    ),
    (
      "func f(_ t: UnsafeDataTransaction, _ p: Person) { t.monitorObject(p) }",
      "use the stack"
    ),
    (
      "final class A: CoreStoreObject { @Field.Stored(\"n\") var n: Int }",
      "ExpressibleByNilLiteral"
    ),
  ])
  func theMessageSaysWhatToUse(_ line: String, _ part: String) throws {
    let code = """
      import CoreStoreCompatibility
      final class Person: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
      }

      """
    let errors = try SnippetCompiler().errors(in: code + line)
    #expect(errors.contains { $0.contains(part) }, "\(errors)")
  }

  @Test func withoutThemItCompiles() throws {
    #expect(
      try SnippetCompiler().errors(
        in: """
          import CoreStoreCompatibility
          final class Person: CoreStoreObject {
            @Field.Stored("name") var name: String = ""
            @Field.Stored("age") var age: Int?
          }
          _ = From<Person>().where(\\.$age > 30).orderBy(.ascending(\\.$name))
          _ = Into<Person>()
          _ = OrderBy<Person>(.descending("age"))
          """) == [])
  }
}
