/// The error of creating an object of an abstract entity.
public struct AbstractEntityError: Error, Sendable, CustomStringConvertible {
  /// The name of the abstract entity.
  public let name: String
  /// The names of the entities that inherit from it and are not abstract.
  public let concrete: [String]

  /// - Parameter entity: an abstract entity of the schema.
  package init(_ entity: Entity, in schema: Schema) {
    name = entity.name
    concrete = entity.members.map { schema.entities[$0] }.filter { !$0.isAbstract }.map(\.name)
  }

  public var description: String {
    "\(name) is abstract; create an object of \(concrete.joined(separator: " or ")) instead."
  }
}
