import Testing

// Promise: a name of CoreStore's clauses, fields or snapshots is gone → a line for each compiles and
// answers, or the compiler says what takes its place.
/// Every name of CoreStore's properties and queries that cannot be here: the compiler names the replacement.
@Suite struct CoreStoreNameMessageTests {
  private static let names: [(line: String, message: String)] = [
    // Where.swift, Where.Expression.swift, TypeErasedClauses.swift, OrderBy.swift
    ("_ = Where<Person>(NSPredicate(value: true))", "use Where(\"age > 30\")"),
    ("Where<Person>(true).applyToFetchRequest(1)", "write applied(to:)"),
    ("_ = Where<Person>.Expression<Int, Int>.self", "is a PropertyPath"),
    ("_ = Where<Person>.SingleTarget.self", "is a PropertyPath"),
    ("_ = Where<Person>.CollectionTarget.self", "is a PropertyPath"),
    ("func trait<T: WhereExpressionTrait>(_: T) {}", "is a PropertyPath"),
    ("func order(_ key: NSSortDescriptor) { _ = OrderBy<Person>(key) }", "use .ascending(\"age\")"),
    // KeyPathGenericBindings.swift, CoreDataNativeType.swift
    ("func native<T: CoreDataNativeType>(_: T) {}", "use AttributeValueType"),
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
    ("_ = Relationship.ToManyOrdered<Person>.self", "with an array or a set"),
    ("_ = Relationship.ToManyUnordered<Person>.self", "with an array or a set"),
    ("func assign(_ person: Person) { person.name .= \"Ann\" }", "person.name = \"Ann\""),
    ("func compare(_ person: Person) { _ = person.name .== \"Ann\" }", "person.name == \"Ann\""),
    // CoreStoreObject+Convenience.swift, FieldCoders.DefaultNSSecureCoding.swift
    (
      "func source(_ person: Person) { _ = person.fetchSource() }",
      "hand that on"
    ),
    (
      "func values(_ person: Person) { _ = person.querySource() }",
      "hand that on"
    ),
    ("_ = FieldCoders.DefaultNSSecureCoding.self", "use FieldCoders.Json"),
    ("func secure<T: DefaultNSSecureCodable>(_: T) {}", "use FieldCoders.Json"),
    ("func key(_ p: Person) { _ = p.getValue(forKvcKey: \"name\") }", "use customGetter:"),
    (
      "func get(_ p: Person) { _ = try? p.getValue(forKvcKey: \"a\", didGetValue: { $0 as? Int }) }",
      "use customGetter:"
    ),
    ("func set(_ p: Person) { p.setValue(1, forKvcKey: \"name\") }", "use customGetter:"),
    ("func raw(_ p: Person) { _ = Person(rawObject: p) }", "use customGetter:"),
    ("func publish(_ p: Person) { _ = p.asPublisher() }", "hand that on"),
    ("func value(_ p: Person) { _ = p.asSnapshot() }", "hand that on"),
    ("func unsafe(_ p: Person) { _ = p.unsafeDataTransaction }", "hand that on"),
    ("func six<T: AllowedCoreStoreObjectCollectionKeyPathValue>(_: T) {}", "use ToManyProperty"),
    // DynamicSchema, XcodeDataModelSchema.swift, XcodeSchemaMappingProvider.swift, StorageInterface.swift
    ("let file: XcodeDataModelFileName = \"a\"", "use CoreStoreSchema"),
    ("_ = XcodeDataModelSchema(modelName: \"a\")", "use CoreStoreSchema"),
    ("_ = XcodeDataModelSchema.from(modelName: \"a\")", "use CoreStoreSchema"),
    ("_ = UnsafeDataModelSchema(modelName: \"a\", model: 1)", "use CoreStoreSchema"),
    ("_ = XcodeSchemaMappingProvider.self", "use CustomSchemaMappingProvider"),
    ("let hash: VersionLock.HashElement = 1", "print(schema.versionLock)"),
    ("_ = SQLiteStore().dictionary(forOptions: nil)", "There is no coordinator"),
    // FetchChainBuilder.swift, QueryChainBuilder.swift, SectionMonitorBuilder.swift, Select.swift
    ("_ = From<Person>().fetchClauses", "it is `from`"),
    ("_ = From<Person>().select(Int.self, .count()).select", "it is `from`"),
    ("_ = From<Person>().select(Int.self, .count()).queryClauses", "it is `from`"),
    ("let stored: Int.FieldStoredNativeType? = nil", "use the type itself"),
    ("let value: Int.NativeValueType? = nil", "use the type itself"),
    ("let queried: Int.QueryableNativeType? = nil", "use the type itself"),
    ("let sections: SectionBy<Person> = From<Person>().sectionBy", "it is `from`"),
    ("let type: Select<Person, Int>.ReturnType? = nil", "it is `from`"),
    // NSFetchedResultsController+Convenience.swift, UnsafeDataTransaction+Observing.swift
    (
      "func fetch(_ t: UnsafeDataTransaction) { t.createFetchedResultsController(From<Person>()) }",
      "use the stack"
    ),
    // DiffableDataSource.swift, ListReader.swift, ListState.swift, ObjectReader.swift, ObjectState.swift
    ("_ = DiffableDataSource.TableViewAdapter<Person>.self", "ListSnapshot.difference(from:)"),
    ("_ = DiffableDataSource.CollectionViewAdapter<Person>.self", "ListSnapshot.difference(from:)"),
    ("_ = DiffableDataSource.BaseAdapter<Person, Int>.self", "ListSnapshot.difference(from:)"),
    ("_ = DiffableDataSource.DefaultTableViewTarget<Int>.self", "ListSnapshot.difference(from:)"),
    (
      "_ = DiffableDataSource.DefaultCollectionViewTarget<Int>.self",
      "ListSnapshot.difference(from:)"
    ),
    ("func target<T: DiffableDataSource.Target>(_: T) {}", "ListSnapshot.difference(from:)"),
    ("func goal<T: DiffableDataSourceTarget>(_: T) {}", "ListSnapshot.difference(from:)"),
    ("_ = ListReader<Person, Int, Int>.self", "use ListPublisher.addObserver"),
    ("_ = ObjectReader<Person, Int, Int, Int>.self", "use ObjectPublisher.addObserver"),
    ("_ = ListState<Person>.self", "use ListPublisher.snapshot"),
    ("_ = ObjectState<Person>.self", "use ObjectPublisher.snapshot"),
    ("func change(_ p: Person) { _ = p.objectWillChange }", "use ObjectPublisher.addObserver"),
    ("func read(_ p: ObjectPublisher<Person>) { _ = p.value(forKeyPath: \\.name) }", "$name"),
    ("_ = Transformable.Required<Int>.self", "Use @Field.Coded"),
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
