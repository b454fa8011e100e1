/// An index over several properties of a class; see `DatastoreObject.indexes`.
public struct Index {
  /// One of its properties, with a direction.
  public struct Column {
    let property: AnyKeyPath
    let isDescending: Bool

    /// Small values first.
    public static func ascending(_ property: AnyKeyPath) -> Column {
      Column(property: property, isDescending: false)
    }

    /// Great values first.
    public static func descending(_ property: AnyKeyPath) -> Column {
      Column(property: property, isDescending: true)
    }
  }

  let columns: [Column]

  /// An index over properties, all of them ascending: `Index(\Employee.$surname, \Employee.$name)`.
  public init(_ properties: AnyKeyPath...) {
    self.init(properties: properties)
  }

  package init(properties: [AnyKeyPath]) {
    columns = properties.map { .ascending($0) }
  }

  /// An index with a direction for each property:
  /// `Index(.ascending(\Employee.$city), .descending(\Employee.$salary))`.
  public init(_ columns: Column...) {
    self.columns = columns
  }
}
