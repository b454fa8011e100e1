/// Whether what is shown can be changed, and where it is kept.
enum StoreAccess: Hashable, Sendable {
  /// Changes are saved in the store.
  case writable
  /// The file was opened to be read.
  case readOnly
  /// The database in a server was opened to be read.
  case readOnlyInServer
  /// The file is a store of Core Data.
  case coreData
  /// The store is a copy of files, and what is saved is written into them.
  case copy(of: String)
  /// The store is a copy of files that are not written: for a reason of theirs, or since they were opened to
  /// be read.
  case readOnlyCopy(of: String, reason: String?)
  /// The store is a copy of what was derived from another one: of “an SQL answer”.
  case derived(String)

  /// The name of the file that is shown, where the store is only a copy of it.
  var copiedFile: String? {
    switch self {
    case .copy(let file), .readOnlyCopy(let file, _), .derived(let file): file
    case .writable, .readOnly, .readOnlyInServer, .coreData: nil
    }
  }

  /// Why nothing can be changed, as sentences; nil where it can.
  var readOnlyReason: String? {
    switch self {
    case .writable, .copy: nil
    case .readOnly: "This file was opened read-only; open it without --read-only to change it."
    case .readOnlyInServer:
      "This database is read-only; open it with --write to change it."
    case .coreData:
      "Core Data made this file; “datastore copy FILE --into NEW.sqlite” makes a store of it that can be changed."
    case .readOnlyCopy(let file, nil):
      "This is a read-only copy of \(file); open the file without --read-only to change it."
    case .readOnlyCopy(let file, let reason?):
      "This is a read-only copy of \(file), which is not written: \(reason). “datastore load” makes a store "
        + "of the rows that can be changed."
    case .derived(let subject):
      "This is a copy of \(subject); change the rows in their own tables. q goes back."
    }
  }

  /// What the line above the status says of it; nil where that is about the changes.
  var note: String? {
    switch self {
    case .writable, .copy: nil
    case .readOnly, .readOnlyInServer: "read-only"
    case .coreData: "read-only: a Core Data store"
    case .readOnlyCopy(let file, _): "a read-only copy of \(file)"
    case .derived(let subject): "read-only: \(subject)"
    }
  }
}
