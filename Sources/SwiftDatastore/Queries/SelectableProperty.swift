public import DatastoreCore
import Foundation

/// A property whose values can be selected without objects: attributes, to-one relationships, the number of
/// objects of a to-many relationship, and parts of dates.
public protocol SelectableProperty: EntityProperty {
  /// The type in a row: that of the property, or the identifier of the object for a relationship.
  associatedtype Selected
  /// The type behind a relationship, where the value may be missing.
  associatedtype Found
  /// Reads the next value of a row.
  static func selected(from row: SelectedRow) throws -> Selected
  /// Reads the next value of a row, which may be missing.
  static func found(in row: SelectedRow) throws -> Found
}

extension Attribute.NotOptionalProperty: SelectableProperty, FetchableProperty {
  public typealias FetchedValue = T

  public static func selected(from row: SelectedRow) throws -> T { try row.value() }
  public static func found(in row: SelectedRow) throws -> T? { try row.optionalValue() }
}

extension Attribute.OptionalProperty: SelectableProperty, FetchableProperty {
  public typealias FetchedValue = T

  public static func selected(from row: SelectedRow) throws -> T? { try row.optionalValue() }
  public static func found(in row: SelectedRow) throws -> T? { try row.optionalValue() }
}

extension Attribute.EnumProperty: SelectableProperty, FetchableProperty {
  public typealias FetchedValue = T.RawValue

  /// Also nil for a raw value that the enum does not know.
  public static func selected(from row: SelectedRow) throws -> T? {
    let raw: T.RawValue? = try row.optionalValue()
    return raw.flatMap(T.init(rawValue:))
  }

  public static func found(in row: SelectedRow) throws -> T? { try selected(from: row) }
}

extension Attribute.Coded.Property: SelectableProperty {
  /// Also nil for data that cannot be decoded.
  public static func selected(from row: SelectedRow) throws -> T? {
    let data: Data? = try row.optionalValue()
    return data.flatMap { Attribute.Coded<T>.decoded($0, of: row) }
  }

  public static func found(in row: SelectedRow) throws -> T? { try selected(from: row) }
}

extension Attribute.Coded.NotOptional.Property: SelectableProperty {
  /// Throws `SelectedValueError` for data that cannot be decoded.
  public static func selected(from row: SelectedRow) throws -> T {
    let data: Data = try row.value()
    guard let value = Attribute.Coded<T>.decoded(data, of: row) else {
      throw row.misfit(.blob(data), T.self)
    }
    return value
  }

  /// Also nil for data that cannot be decoded.
  public static func found(in row: SelectedRow) throws -> T? {
    let data: Data? = try row.optionalValue()
    return data.flatMap { Attribute.Coded<T>.decoded($0, of: row) }
  }
}

extension Attribute.Coded {
  fileprivate static func decoded(_ data: Data, of row: SelectedRow) -> T? {
    let coder = row.property.map { Self.coder(in: $0.owner, $0.slot) } ?? AttributeCoder<T>.json
    return try? coder.decode(data)
  }
}

extension Relationship.ToOne.Property: SelectableProperty {
  public static func selected(from row: SelectedRow) throws -> DatastoreObjectID? {
    row.objectID()
  }

  public static func found(in row: SelectedRow) throws -> DatastoreObjectID? { row.objectID() }
}

extension RelationshipCount: SelectableProperty, FetchableProperty {
  public typealias FetchedValue = Int

  public static func selected(from row: SelectedRow) throws -> Int { try row.value() }
  public static func found(in row: SelectedRow) throws -> Int? { try row.optionalValue() }
}

/// A row that is being read. Opaque outside the library.
public final class SelectedRow {
  private let entity: Entity
  private let schema: Schema
  private let storeID: ObjectIdentifier
  private let columns: [QueryColumn.Term]
  private var page: RowPage
  private var row = 0
  /// The column to read next.
  private var column = 0
  /// The property to read next.
  var property: (owner: DatastoreObject.Type, slot: Slot)?

  init(
    of columns: [QueryColumn.Term], from entity: Entity, in schema: Schema,
    storeID: ObjectIdentifier
  ) {
    self.columns = columns
    self.entity = entity
    self.schema = schema
    self.storeID = storeID
    page = RowPage(columnCount: columns.count, rowCapacity: 1)
  }

  func move(to row: Int, of page: RowPage) {
    self.page = page
    self.row = row
    column = 0
  }

  /// The next value in its stored form.
  package func stored() -> Value {
    defer { column += 1 }
    return page.value(row: row, column: column)
  }

  func value<Result: AttributeValueType>() throws(SelectedValueError) -> Result {
    let stored = stored()
    guard let value = Result(storedValue: stored) else { throw misfit(stored, Result.self) }
    return value
  }

  func optionalValue<Result: AttributeValueType>() throws(SelectedValueError) -> Result? {
    let stored = stored()
    if stored.isNull { return nil }
    guard let value = Result(storedValue: stored) else { throw misfit(stored, Result.self) }
    return value
  }

  func aggregate<Result: AttributeValueType>(
    _ term: QueryColumn.Term
  ) throws(AggregateValueError) -> Result? {
    try term.value(stored(), as: Result.self)
  }

  /// The next value as a type that is known only at run time.
  func aggregate(
    _ term: QueryColumn.Term, as type: any AttributeValueType.Type
  ) throws(AggregateValueError) -> Any? {
    func typed<Result: AttributeValueType>(
      _ type: Result.Type
    ) throws(AggregateValueError) -> Any? {
      guard let value: Result = try aggregate(term) else { return nil }
      return value
    }
    return try typed(type)
  }

  func objectID() -> DatastoreObjectID? {
    let term = columns[column]
    guard case .integer(let number) = stored(), case .key(let path) = term,
      let resolved = try? PredicatePath(path, from: entity, in: schema),
      case .object(let destination) = resolved.destination
    else { return nil }
    return DatastoreObjectID(store: storeID, entity: destination, key: RowKey(number))
  }

  func misfit(_ stored: Value, _ type: Any.Type) -> SelectedValueError {
    SelectedValueError(
      entity: entity.name, property: columns[column - 1].description, value: stored,
      type: String(describing: type))
  }
}

/// The error of a stored value that is not of the selected type: someone else has written it.
public struct SelectedValueError: Error, Sendable, CustomStringConvertible {
  /// The entity of the row.
  public let entity: String
  /// The selected property: `name`, `company.name`.
  public let property: String
  /// The stored value.
  public let value: Value
  /// The name of the type.
  public let type: String

  public var description: String {
    value.isNull
      ? "A row of \(entity) has no value for “\(property)”, which was selected as \(type)."
      : "A row of \(entity) holds \(value) for “\(property)”, which is not a \(type)."
  }
}
