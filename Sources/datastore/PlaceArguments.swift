import ArgumentParser
import DatastoreFar
import Foundation

/// The options for reaching a file elsewhere.
struct FarArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The file lies at the other end of this command, such as 'docker exec -i web' or 'sudo -u app'.",
      valueName: "command"))
  var via: String?

  @Option(
    help: ArgumentHelp(
      "With ssh:// or --via: the “datastore” there, where it is not in the PATH.",
      valueName: "path"))
  var farProgram = "datastore"

  @Option(
    help: ArgumentHelp(
      "With ssh:// or --via, where “datastore” is not installed there: bring copies this program there while "
        + "it is used; copy looks at a copy of the file that the sqlite3 there makes, which cannot be "
        + "changed. Without this option, a terminal is asked.", valueName: "bring|copy"))
  var whenMissing: WhenMissing?

  /// Whether an argument means a file at the other end of a line.
  func isFar(_ text: String) -> Bool { via != nil || text.hasPrefix(FarAddress.scheme) }

  /// The address of the store that an argument names, wherever it is.
  ///
  /// - Parameter storeName: the name of a store in a server.
  /// - Throws: `Failure` for a file with a store name, and for a malformed address.
  func address(of text: String, storeName: String?) throws -> StoreAddress {
    guard let address = try address(of: text) else {
      return try StoreAddress(text, storeName: storeName)
    }
    if storeName != nil {
      throw Failure(.usage, "--store-name is about stores in a server; a file has one store.")
    }
    return .far(address)
  }

  /// The file elsewhere that an argument names; nil for other stores.
  ///
  /// - Throws: `Failure` for a malformed address.
  func address(of text: String) throws -> FarFile? {
    guard let via else { return try addressOfSSH(text) }
    return FarFile(
      FarAddress(command: via, path: text, program: farProgram), whenMissing: whenMissing)
  }

  /// The file that an `ssh://` address names, also beside `--via`; nil for other text.
  ///
  /// - Throws: `Failure` for a malformed address.
  func addressOfSSH(_ text: String) throws -> FarFile? {
    guard text.hasPrefix(FarAddress.scheme) else { return nil }
    do {
      return FarFile(try FarAddress(text, program: farProgram), whenMissing: whenMissing)
    } catch {
      throw Failure(error)
    }
  }
}

/// The options that say which store a command reads, besides the path of a local file.
struct PlaceArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "In a server: the store of SwiftDatastore's to read, that is, the schema; without it, the tables of the "
        + "database.", valueName: "name"))
  var storeName: String?

  @OptionGroup var far: FarArguments

  /// Whether an argument means a file at the other end of a line.
  func isFar(_ text: String) -> Bool { far.isFar(text) }

  /// - Throws: as `FarArguments.address(of:storeName:)`.
  func address(of text: String) throws -> StoreAddress {
    try far.address(of: text, storeName: storeName)
  }
}
