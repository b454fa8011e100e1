import DatastoreCore
public import SwiftDatastore

/// Classes that several storages of one stack hold: the storages by their configurations, nil for that of all
/// entities.
extension From {
  /// The objects in the storages of some configurations: `From<Person>("Config1", nil)`.
  public init(_ configuration: ModelConfiguration, _ others: ModelConfiguration...) {
    self.init([configuration] + others)
  }

  /// The same with a list of configurations.
  public init(_ configurations: [ModelConfiguration]) {
    self = From().inConfigurations(configurations)
  }

  /// The same with the class as an argument: `From(Person.self, "Config1")`.
  public init(
    _ type: T.Type, _ configuration: ModelConfiguration, _ others: ModelConfiguration...
  ) {
    self.init([configuration] + others)
  }
}

extension Into {
  /// An object in the storage of a configuration: creating one fails where that does not hold the class.
  public init(_ configuration: ModelConfiguration) {
    stores = .configurations([configuration])
  }

  /// The same with the class as an argument: `Into(Person.self, "Config1")`.
  public init(_ type: O.Type, _ configuration: ModelConfiguration) { self.init(configuration) }
}
