import Testing

// Promise: a name of CoreStore's clauses, fields or snapshots is gone → a line for each compiles and
// answers, or the compiler says what takes its place.
/// Every name of CoreStore's properties and queries that cannot be here: the compiler says what takes its place.
@Suite struct CoreStoreNameMessageTests {
  private static let names: [(line: String, message: String)] = [
    // Where.swift, Where.Expression.swift, TypeErasedClauses.swift, OrderBy.swift
    ("_ = Where<Person>(NSPredicate(value: true))", "its text can: Where(\"age > 30\")"),
    ("Where<Person>(true).applyToFetchRequest(1)", "write applied(to:)"),
    ("_ = Where<Person>.Expression<Int, Int>.self", "is a PropertyPath"),
    ("_ = Where<Person>.SingleTarget.self", "is a PropertyPath"),
    ("_ = Where<Person>.CollectionTarget.self", "is a PropertyPath"),
    ("func trait<T: WhereExpressionTrait>(_: T) {}", "is a PropertyPath"),
    ("func order(_ key: NSSortDescriptor) { _ = OrderBy<Person>(key) }", "use .ascending(\"age\")"),
    // KeyPathGenericBindings.swift, CoreDataNativeType.swift
    ("func native<T: CoreDataNativeType>(_: T) {}", "values are AttributeValueType"),
    ("func one<T: AllowedObjectiveCKeyPathValue>(_: T) {}", "use EntityProperty"),
    ("func two<T: AllowedOptionalObjectiveCKeyPathValue>(_: T) {}", "use EntityProperty"),
    ("func three<T: AllowedObjectiveCAttributeKeyPathValue>(_: T) {}", "use FetchableProperty"),
    (
      "func four<T: AllowedObjectiveCRelationshipKeyPathValue>(_: T) {}", "use RelationshipProperty"
    ),
    (
      "func five<T: AllowedObjectiveCToManyRelationshipKeyPathValue>(_: T) {}", "use ToManyProperty"
    ),
    // Value.swift, Relationship.swift, Transformable.swift
    ("_ = ValueContainer<Person>.self", "Use @Field.Stored"),
    ("_ = RelationshipContainer<Person>.self", "Use @Field.Relationship"),
    ("_ = TransformableContainer<Person>.self", "Use @Field.Coded"),
    ("_ = Relationship.ToManyOrdered<Person>.self", "with an array"),
    ("_ = Relationship.ToManyUnordered<Person>.self", "with a set"),
    ("func assign(_ person: Person) { person.name .= \"Ann\" }", "person.name = \"Ann\""),
    ("func compare(_ person: Person) { _ = person.name .== \"Ann\" }", "person.name == \"Ann\""),
    // CoreStoreObject+Convenience.swift, FieldCoders.DefaultNSSecureCoding.swift
    (
      "func source(_ person: Person) { _ = person.fetchSource() }",
      "hand on the stack or transaction"
    ),
    (
      "func values(_ person: Person) { _ = person.querySource() }",
      "hand on the stack or transaction"
    ),
    ("_ = FieldCoders.DefaultNSSecureCoding.self", "use FieldCoders.Json"),
    ("func secure<T: DefaultNSSecureCodable>(_: T) {}", "use Codable and FieldCoders.Json"),
  ]

  @Test func everyNameHasASentence() throws {
    let code = """
      import CoreStoreCompatibility
      import Foundation
      final class Person: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
      }

      """
    let errors = try SnippetCompiler().errors(
      in: code + Self.names.map(\.line).joined(separator: "\n"))
    for (offset, name) in Self.names.enumerated() {
      let line = code.count { $0 == "\n" } + offset + 1
      #expect(
        errors.contains { $0.contains(":\(line):") && $0.contains(name.message) },
        "\(name.line): \(errors.filter { $0.contains(":\(line):") })")
    }
    #expect(errors.count == Self.names.count, "\(errors)")
  }
}
