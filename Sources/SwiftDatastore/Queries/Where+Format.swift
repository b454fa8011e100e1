import Basics
public import DatastoreCore

extension Where {
  /// A condition from text in the NSPredicate format language:
  /// `Where<Employee>(format: "age > %@ AND ANY tasks.title BEGINSWITH[c] \"re\"",
  /// arguments: [.of(30)], in: model.schema)`.
  ///
  /// Names and types are checked against the schema, so a condition that could be created can be used. Inside
  /// a context, `condition(_:_:)` is shorter.
  ///
  /// - Parameters:
  ///   - format: the text.
  ///   - arguments: the values of `%@`, `%d`, `%f` and `%K`, in their order.
  ///   - schema: the schema of a model (`model.schema`) or a datastore (`datastore.schema`).
  /// - Throws: `PredicateSyntaxError`, which marks the position in the text; `UnknownEntityError` when the
  ///   class is not part of the schema.
  public init(
    format: String, arguments: [PredicateArgument] = [], in schema: Schema
  ) throws {
    guard let entity = schema.entity(named: T.entityName) else {
      throw UnknownEntityError(name: T.entityName, known: schema.entities.map(\.name))
    }
    self.init(try Predicate.parse(format, arguments: arguments, entity: entity, in: schema))
  }

  /// A condition from text, without a schema: names and types are checked against the class, and against the
  /// destinations of its relationships.
  ///
  /// - Parameters:
  ///   - format: the text.
  ///   - arguments: the values of `%@`, `%d`, `%f` and `%K`, in their order.
  /// - Throws: `PredicateSyntaxError`, which marks the position in the text.
  public init(format: String, arguments: [PredicateArgument] = []) throws {
    try self.init(format: format, arguments: arguments, in: ClassSchemas.schema(of: T.self))
  }
}

extension PredicateArgument {
  /// An attribute value for `%@`; nil is the missing value.
  public static func of(_ value: (some AttributeValueType)?) -> PredicateArgument {
    .value(value?.storedValue ?? .null)
  }

  /// Attribute values for `%@` after `IN` or `BETWEEN`.
  public static func of(_ values: [some AttributeValueType]) -> PredicateArgument {
    .values(values.map(\.storedValue))
  }

  /// An object for `%@` to compare a relationship with; nil is none.
  public static func of(_ object: DatastoreObject?) -> PredicateArgument {
    .value(object.map { .key($0.key) } ?? .null)
  }

  /// An argument of any type: an attribute value, an object or its identifier, several of one kind, or nil.
  /// Traps for everything else.
  package init(any value: Any?) {
    switch value {
    case nil: self = .value(.null)
    case let argument as PredicateArgument: self = argument
    case let object as DatastoreObject: self = .of(object)
    case let id as DatastoreObjectID: self = .value(.key(id.key))
    case let value as any AttributeValueType: self = .value(value.storedValue)
    case let values as [any AttributeValueType]: self = .values(values.map(\.storedValue))
    case let objects as [DatastoreObject]: self = .values(objects.map { .key($0.key) })
    case let ids as [DatastoreObjectID]: self = .values(ids.map { .key($0.key) })
    case let value?:
      trap("a condition is given \(value), which no attribute can hold")
    }
  }
}
