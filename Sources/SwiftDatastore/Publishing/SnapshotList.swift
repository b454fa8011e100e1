/// A list whose content is a snapshot: a `ListPublisher`, or what tells of one in other words.
public protocol SnapshotList<ListedObject>: SectionedList {
  /// The list as it is.
  var snapshot: ListSnapshot<ListedObject> { get }
}

extension SnapshotList {
  public var objectCount: Int { snapshot.count }
  public var sectionCount: Int { snapshot.numberOfSections }
  public func section(at index: Int) -> ListSnapshot<ListedObject>.Section? {
    snapshot.section(at: index)
  }
  public func index(of id: DatastoreObjectID) -> Int? { snapshot.index(of: id) }
  @MainActor
  public func objects(at places: Range<Int>) -> [ListedObject] { snapshot.objects(at: places) }
}

/// The list as observers know it.
extension ListPublisher: @MainActor SnapshotList {
  public typealias ListedObject = T
}
