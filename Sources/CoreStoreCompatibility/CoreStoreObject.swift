/// The base class of model objects.
public typealias CoreStoreObject = DatastoreObject
