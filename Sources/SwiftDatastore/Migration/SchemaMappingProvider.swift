import DatastoreCore

/// Describes how a store gets from one version of its model to another.
///
/// `CustomSchemaMappingProvider` customises a part of it. Steps without a provider are inferred from the two
/// versions.
public protocol SchemaMappingProvider: Sendable {
  /// The version of the store before the step.
  var sourceVersion: String { get }
  /// The version of the store after the step.
  var destinationVersion: String { get }
  /// The custom mappings; everything else is inferred.
  var entityMappings: [CustomMapping] { get }
}

/// A step from one version of a model to another with custom mappings.
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
  ///   - entityMappings: the custom mappings, in this order.
  public init(
    from sourceVersion: String, to destinationVersion: String, entityMappings: [CustomMapping] = []
  ) {
    self.sourceVersion = sourceVersion
    self.destinationVersion = destinationVersion
    self.entityMappings = entityMappings
  }
}

/// A step that is inferred completely, as without any provider.
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
