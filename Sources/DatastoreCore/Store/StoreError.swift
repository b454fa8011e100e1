/// The reason why a store could not be opened, read or saved: one sentence for the person who meets it.
@nonexhaustive
public enum StoreError: Error, Sendable, Hashable, Codable, CustomStringConvertible {
  /// There is no file to open.
  case missingFile(path: String)
  /// The path is that of a directory.
  case isDirectory(path: String)
  /// Neither a file nor a directory: a named pipe, a device, a socket.
  case notRegularFile(path: String)
  /// The address is not that of a file.
  case notAFile(address: String)
  /// A store cannot have this name.
  case unusableName(String)
  /// A file is in the way of a copy.
  case fileExists(path: String)
  /// The file is not a SQLite file; with a description of what it looks like.
  case notADatabase(path: String, looksLike: String)
  /// A read-only file was opened for writing, or written by a save.
  case readOnly(path: String)
  /// Another process has locked the file for longer than a context waits.
  case locked(path: String)
  /// Another process is migrating the file; with its progress.
  case beingMigrated(path: String, process: Int32, percent: Int)
  /// SQLite, or this library, has found content in a SQLite file that it does not understand. Only an
  /// integrity check shows how much of the file is affected.
  case malformed(path: String, detail: String)
  /// SQLite does not understand the declarations in the file, for example because of unknown functions; with
  /// the engine's name and version.
  case unreadableSchema(path: String, detail: String, engine: String)
  /// A Core Data store, which is read-only here, was to be changed.
  case coreData(path: String)
  /// There was no space left; nothing was saved.
  case diskFull(path: String)
  /// Another file has replaced the one that was opened.
  case replaced(path: String)
  /// The file was moved or removed since it was opened.
  case removed(path: String)
  /// The log of a file in WAL mode was removed or replaced while a connection uses it.
  case logRemoved(path: String)
  /// A program ended in the middle of a save, which cannot be rolled back here.
  case interruptedSave(path: String)
  /// The user may not open the file.
  case noPermission(path: String)
  /// The file could not be opened for another reason.
  case cannotOpen(path: String, detail: String)
  /// A native file made from another model.
  case schemaMismatch(path: String, differences: [String])
  /// A native file made by a later version of this library.
  case unknownFormat(path: String, version: String)
  /// An existing file is not a native one, and has none of the model's tables.
  case notNative(path: String)
  /// The tables of a third-party file do not fit the model's classes.
  case modelDoesNotFit(path: String, differences: [String])
  /// A cell of a third-party file cannot be read as a property of its class.
  case unfitValue(entity: String, property: String, key: RowKey, detail: String)
  /// A cell of a third-party file has no value for a mandatory property.
  case noStoredValue(entity: String, property: String, key: RowKey)
  /// The datastore was used after `close()`.
  case closed(path: String)
  /// A request names an entity that the store does not have.
  case unknownEntity(String)
  /// A request names a property that the entity does not have, or that cannot be used there.
  case unknownProperty(entity: String, property: String)
  /// A request needs something that the store cannot do; a sentence describes it.
  case unsupportedPredicate(String)
  /// Another object has the same values of unique properties.
  case notUnique(entity: String, properties: [String], key: RowKey?)
  /// A required column was to be saved without a value.
  case missingValue(entity: String, property: String, key: RowKey?)
  /// A row breaks a CHECK constraint of its table.
  case checkFailed(entity: String, constraint: String, key: RowKey?)
  /// A foreign key would lead to a row that does not exist; with the first object and relationship affected,
  /// if known.
  case brokenReference(entity: String?, property: String?, key: RowKey?, detail: String)
  /// A constraint or trigger of the file refused a row.
  case refused(entity: String, key: RowKey?, detail: String)
  /// Deleting a row would also delete rows that the context has not read, or clear their reference to it.
  case unknownMembers(entity: String, key: RowKey, count: Int, of: String, isDeleted: Bool)
  /// Another process has changed tables, so their rows can no longer be read or written.
  case tablesChanged(path: String, tables: [String])
  /// Another process has migrated the file to another version of its model; with the version's name, if it
  /// has one.
  case migrated(path: String, version: String?)
  /// A view, or a table whose rows have no key, was to be changed.
  case readOnlyEntity(String)
  /// A part of the primary key of a saved row was to be changed.
  case keyChanged(entity: String, property: String, key: RowKey)
  /// A view or virtual table that SQLite cannot read.
  case unreadable(entity: String, detail: String)
  /// A row names an entity that does not belong to its table.
  case unknownMember(name: String, key: RowKey, known: [String])
  /// No open store holds an entity, which is in the given configurations.
  case noStore(entity: String, configurations: [String])
  /// Two stores of one datastore would hold the same entities.
  case sharedEntities([String], store: String, other: String)
  /// A file is already a store of the datastore, for other entities.
  case otherConfiguration(path: String, configuration: String?, wanted: String?)
  /// An operation for one file was called on a datastore of several, or none.
  case notOneStore(String)
  /// A class is in several stores, and creating an object did not name one.
  case severalStores(entity: String, stores: [String])
  /// None of the named stores holds an entity; with the stores that do.
  case notInStore(entity: String, wanted: [String], stores: [String])
  /// A relationship would lead from a row of one store to a row of another.
  case acrossStores(entity: String, property: String)
  /// A row in one of several stores that hold its entity has a number that is possible only in a single
  /// store.
  case keyTooGreat(entity: String, key: RowKey)
  /// More stores would hold an entity than keys can distinguish.
  case tooManyStores(entity: String, most: Int)
  /// A save to several stores was committed in only some of them; with the reason.
  case savedInPart(saved: [String], unsaved: [String], reason: String)
  /// A library that is loaded on demand is not installed; with the message of the system.
  case missingLibrary(name: String, detail: String)
  /// No server answers at an address, or it refuses the connection.
  case unreachable(server: String, detail: String)
  /// A server rejects the user.
  case authenticationFailed(server: String, user: String, detail: String)
  /// A server has no database of that name.
  case noDatabase(server: String, name: String)
  /// A server has reached its limit of connections.
  case tooManyConnections(server: String)
  /// The address of a server, or of a file elsewhere, cannot be parsed.
  case unusableAddress(detail: String)
  /// A database has an encoding that does not guarantee text.
  case unusableEncoding(server: String, encoding: String)
  /// The connection was lost while nothing was being saved, or before COMMIT was sent.
  case connectionLost(server: String, detail: String)
  /// The connection was lost during COMMIT, and the server cannot tell whether it succeeded.
  case outcomeUnknown(server: String)
  /// A server is read-only: a standby, or a session that was opened for reading.
  case serverReadOnly(server: String)
  /// The user lacks a privilege in the database.
  case notPermitted(server: String, detail: String)
  /// A server has cancelled a statement that exceeded its time limit.
  case statementTimeout(server: String)
  /// Any other error of a server, with its SQLSTATE.
  case server(code: String, detail: String, server: String)
  /// Any other error of SQLite.
  case sqlite(code: Int32, detail: String, path: String)

  public var description: String {
    switch self {
    case .missingFile(let path):
      "There is no file at \(path); check the path."
    case .isDirectory(let path):
      "\(path) is a directory, not a database file; name a file in it."
    case .notRegularFile(let path):
      "\(path) is not a regular file, so it is not a database."
    case .notAFile(let address):
      "\(address) is not the URL of a file; give one that begins with "
        + "file:."
    case .unusableName(let name):
      "“\(name)” cannot be the name of a store, which also names its file: it must not be empty, "
        + "too long, begin with a dot, or contain a slash."
    case .fileExists(let path):
      "There already is a file at \(path); choose another name, or remove it."
    case .notADatabase(let path, let looksLike):
      "\(path) is not a SQLite database: \(looksLike)."
    case .readOnly(let path):
      "\(path) cannot be written; make the file and its directory writable, or open it read-only to "
        + "look at it."
    case .locked(let path):
      "\(path) is in use by another process, which has locked it; try again when that is done."
    case .beingMigrated(let path, let process, let percent):
      "\(path) is being migrated by the process \(process), which has done \(percent) %; try again when "
        + "that is done."
    case .malformed(let path, let detail):
      "\(path) cannot be read as it is: \(detail). “sqlite3 \(path) \"PRAGMA integrity_check\"” shows what "
        + "is wrong with it; restore it from a backup, or save what can be read with “sqlite3 \(path) "
        + ".recover”."
    case .unreadableSchema(let path, let detail, let engine):
      "\(engine) cannot read what \(path) declares (\(detail)); open it with "
        + "the program that made it, which may have a newer SQLite or functions of its own."
    case .coreData(let path):
      "\(path) is a Core Data store, which is opened for reading only: its program relies on counts "
        + "of objects and changes that a change made here would not keep. “datastore copy \(path) --into "
        + "NEW.sqlite” makes a store of it that can be changed."
    case .diskFull(let path):
      "There is no space left to write \(path); free some and save again. Nothing was saved."
    case .replaced(let path):
      "\(path) is not the file that was opened: it was replaced meanwhile. Nothing was "
        + "saved; open it again."
    case .removed(let path):
      "\(path) was moved or removed since it was opened. Nothing was saved; put the file back and "
        + "save again."
    case .logRemoved(let path):
      "The log \(path)-wal was removed or replaced since the file was opened, so no one else would "
        + "see what is saved. Nothing was saved; open the file again."
    case .interruptedSave(let path):
      "A program ended while it was saving \(path), which can be read only after that save is "
        + "rolled back, which writes to the file. Make the file, \(path)-journal and their directory "
        + "writable, or copy both files to a place where they are, and open it again."
    case .noPermission(let path):
      "You do not have permission to open \(path); ask its owner for it."
    case .cannotOpen(let path, let detail):
      "\(path) could not be opened: \(detail)."
    case .schemaMismatch(let path, let differences):
      "\(path) was made from another version of the model: \(differences.joined(separator: "; ")). "
        + "Open it with that version, or migrate it."
    case .unknownFormat(let path, let version):
      "\(path) has the format version \(version), which this version of SwiftDatastore does not "
        + "know; use a newer one."
    case .notNative(let path):
      "\(path) holds tables that were not made by SwiftDatastore; open it without a model, or give "
        + "the store another file."
    case .modelDoesNotFit(let path, let differences):
      "\(path) was made by another program, and the model does not fit it: "
        + "\(differences.joined(separator: "; ")). Correct the classes; “datastore schema \(path) "
        + "--format swift” writes classes that fit."
    case .closed(let path):
      "The store \(path) has been closed; open it again."
    case .unknownEntity(let entity):
      "There is no entity named “\(entity)” in this store."
    case .unknownProperty(let entity, let property):
      "\(entity) has no property named “\(property)” that could be used here."
    case .unsupportedPredicate(let sentence):
      sentence
    case .tablesChanged(let path, let tables):
      "Nothing was read or saved, because another process has changed "
        + "\(tables.joined(separator: ", ")) in \(path) since it was opened; open it again."
    case .migrated(let path, let version):
      "Nothing was read or saved, because another process has migrated \(path) to "
        + (version.map { "version “\($0)”" } ?? "another version") + " of its model since it was "
        + "opened; open it again, with a program that knows that version."
    case .noStore, .sharedEntities, .otherConfiguration, .notOneStore, .savedInPart,
      .severalStores, .notInStore, .acrossStores, .keyTooGreat, .tooManyStores:
      storesDescription
    case .notUnique, .missingValue, .checkFailed, .brokenReference, .refused, .readOnlyEntity,
      .keyChanged, .unknownMembers,
      .unreadable, .unknownMember, .unfitValue, .noStoredValue, .sqlite:
      rowDescription
    case .missingLibrary, .unreachable, .authenticationFailed, .noDatabase, .tooManyConnections,
      .unusableAddress, .unusableEncoding, .connectionLost, .outcomeUnknown, .serverReadOnly,
      .notPermitted, .statementTimeout, .server:
      serverDescription
    }
  }

  private var rowDescription: String {
    switch self {
    case .notUnique(let entity, let properties, let key):
      "\(Self.object(entity, key)) cannot be saved, because another \(entity) has the same "
        + "\(properties.joined(separator: ", ")); change one of them."
    case .missingValue(let entity, let property, let key):
      "\(Self.object(entity, key)) cannot be saved without a value for “\(property)”; set it."
    case .checkFailed(let entity, let constraint, let key):
      "\(Self.object(entity, key)) cannot be saved, because it breaks the rule “\(constraint)” of "
        + "its table; correct its values."
    case .brokenReference(_, _, _, let detail):
      "Nothing was saved, because a relationship would lead to an object that does not exist: "
        + "\(detail)."
    case .refused(let entity, let key, let detail):
      "\(Self.object(entity, key)) cannot be saved: \(detail)."
    case .unknownMembers(let entity, let key, let count, let member, let isDeleted):
      "\(entity) \(key) was not deleted: \(count == 1 ? "a row" : "\(count) rows") of \(member) that "
        + "\(count == 1 ? "refers" : "refer") to it were added meanwhile, and would "
        + (isDeleted ? "be deleted with it" : "lose the reference")
        + ". Revert the deletion and delete it again to include them."
    case .readOnlyEntity(let entity):
      "The objects of \(entity) cannot be changed; it is a view, or its rows have no key."
    case .keyChanged(let entity, let property, let key):
      "\(Self.object(entity, key)) cannot be given another \(property), which is part of its primary "
        + "key; create a new object with it and delete the old one."
    case .unreadable(let entity, let detail):
      "“\(entity)” cannot be read: \(detail)."
    case .unknownMember(let name, let key, let known):
      "Row \(key) says that it is a “\(name)”, but its table holds objects of "
        + "\(known.joined(separator: ", ")); correct the name of its entity in the file."
    case .unfitValue(let entity, let property, let key, let detail):
      "\(entity) \(key) cannot be read: its “\(property)” holds \(detail). Correct it in the file, or make "
        + "the property a Value, which holds anything."
    case .noStoredValue(let entity, let property, let key):
      "\(entity) \(key) cannot be read: its “\(property)” has no value. Give it one in the file, or make "
        + "the property optional."
    case .sqlite(let code, let detail, let path):
      "SQLite reports an error in \(path): \(detail) (code \(code))."
    default: ""
    }
  }

  private static func object(_ entity: String, _ key: RowKey?) -> String {
    key.map { "\(entity) \($0)" } ?? "One \(entity)"
  }
}
