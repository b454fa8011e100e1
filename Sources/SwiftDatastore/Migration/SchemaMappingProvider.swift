import DatastoreCore

/// Says how a store comes from one version of its model to another.
///
/// `CustomSchemaMappingProvider` does a part of it by hand. What no provider is there for is inferred from
/// the two versions.
public protocol SchemaMappingProvider: Sendable {
  /// The version that a store has.
  var sourceVersion: String { get }
  /// The version that it gets.
  var destinationVersion: String { get }
  /// What is done by hand; everything else is inferred.
  var entityMappings: [CustomMapping] { get }
}

/// A step from one version of a model to another, of which a part is done by hand.
///
/// ```swift
/// let step = CustomSchemaMappingProvider(
///   from: "V1", to: "V2",
///   entityMappings: [
///     .deleteEntity("Draft"),
///     .transformEntity(V1.Person.self, into: V2.Person.self) { old, createPerson in
///       let person = try createPerson()
///       person.name = "\(old.first) \(old.last)"
///     },
///   ])
/// let datastore = try await SwiftDatastore.open(history: history, url: url, mappings: [step])
/// ```
///
/// Entities without a mapping are inferred, in the same step and the same transaction.
public struct CustomSchemaMappingProvider: SchemaMappingProvider {
  public let sourceVersion: String
  public let destinationVersion: String
  public let entityMappings: [CustomMapping]

  /// - Parameters:
  ///   - sourceVersion: the version of the store before the step.
  ///   - destinationVersion: its version after the step.
  ///   - entityMappings: the mappings by hand, in this order.
  public init(
    from sourceVersion: String, to destinationVersion: String, entityMappings: [CustomMapping] = []
  ) {
    self.sourceVersion = sourceVersion
    self.destinationVersion = destinationVersion
    self.entityMappings = entityMappings
  }
}

/// A step of which everything is inferred, as without any provider.
public struct InferredSchemaMappingProvider: SchemaMappingProvider {
  public let sourceVersion: String
  public let destinationVersion: String
  public var entityMappings: [CustomMapping] { [] }

  /// - Parameters:
  ///   - sourceVersion: the version of the store before the step.
  ///   - destinationVersion: its version after the step.
  public init(from sourceVersion: String, to destinationVersion: String) {
    self.sourceVersion = sourceVersion
    self.destinationVersion = destinationVersion
  }
}
