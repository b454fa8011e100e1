/// Whether the shown store can be changed, and where its changes are saved.
enum StoreAccess: Hashable, Sendable {
  /// Changes are saved in the store.
  case writable
  /// The file was opened read-only.
  case readOnly
  /// The database in a server was opened read-only.
  case readOnlyInServer
  /// The file is a Core Data store.
  case coreData
  /// The store is a copy of files, and saving writes the files.
  case copy(of: String)
  /// The store is a copy of files that are not written, for the given reason or because they were opened
  /// read-only.
  case readOnlyCopy(of: String, reason: String?)
  /// The store is a copy, made at that time, of a database that lies elsewhere.
  case farCopy(of: String, time: String)
  /// The store is a copy of data derived from another store, such as “an SQL answer”.
  case derived(String)

  /// The name of the shown file, if the store is only a copy of it.
  var copiedFile: String? {
    switch self {
    case .copy(let file), .readOnlyCopy(let file, _), .farCopy(let file, _), .derived(let file):
      file
    case .writable, .readOnly, .readOnlyInServer, .coreData: nil
    }
  }

  /// Why the store cannot be changed, as sentences; nil if it can.
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
    case .farCopy(let file, let time):
      "This is a copy of \(file) of \(time), which nothing writes back; where “datastore” is installed there, or "
        + "is brought there with --when-missing bring, the file itself can be changed."
    case .derived(let subject):
      "This is a copy of \(subject); change the rows in their own tables. q goes back."
    }
  }

  /// The note in the line above the status; nil if the line is about the changes.
  var note: String? {
    switch self {
    case .writable, .copy: nil
    case .readOnly, .readOnlyInServer: "read-only"
    case .coreData: "read-only: a Core Data store"
    case .readOnlyCopy(let file, _): "a read-only copy of \(file)"
    case .farCopy(_, let time): "a read-only copy of \(time)"
    case .derived(let subject): "read-only: \(subject)"
    }
  }
}
