import Testing

/// What the compiler says to those who write what CoreStore has and CoreStoreCompatibility cannot have.
@Suite struct CoreStoreMessageTests {
  @Test(arguments: [
    ("_ = DataStack(xcodeModelName: \"MyModel\")", "use DataStack(CoreStoreSchema"),
    ("_ = DataStack(migrationChain: [\"V1\", \"V2\"])", "use DataStack(CoreStoreSchema"),
    ("_ = From<Person>(\"Config1\")", "An entity is in one storage"),
    ("_ = Into<Person>(nil)", "An entity is in one storage"),
    ("_ = Value.Required<String>.self", "Use @Field.Stored"),
    ("_ = XcodeDataModelSchema.self", "use CoreStoreSchema"),
    ("_ = FieldCoders.NSCoding.self", "use FieldCoders.Json"),
    ("_ = DiffableDataSource.self", "ListSnapshot.difference(from:)"),
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
