import DatastoreCore

extension FetchedObjectsController: @MainActor SectionedList {
  public var objectCount: Int { numberOfFetchedObjects }
  public var sectionCount: Int { numberOfSections }

  /// A section: its name and its places. O(1).
  public func section(at index: Int) -> ListSnapshot<T>.Section? {
    guard index < numberOfSections else { return nil }
    return .init(at: index, of: list, isSectioned: groupKeyPath != nil, sectionTitles)
  }

  /// Where an object stands, counted over all sections; nil when it is not in the list. As fast as
  /// `indexPath(for:)`.
  public func index(of id: DatastoreObjectID) -> Int? {
    guard id.store == viewContext.core.graph.storeID else { return nil }
    let object = viewContext.core.graph.object(entity: id.entity, key: id.key) as? T
    return object.flatMap { indexPath(for: $0) }.flatMap {
      list.index(section: $0.section, row: $0.row)
    }
  }

  public func objects(at places: Range<Int>) -> [T] { places.compactMap { object(at: $0) } }
}
