import ArgumentParser
import DatastoreFar
import Foundation

/// The way to a file that lies elsewhere.
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

  /// Whether the file is one at the other end of a line.
  func isFar(_ text: String) -> Bool { via != nil || text.hasPrefix(FarAddress.scheme) }

  /// The store that is meant, wherever it is.
  ///
  /// - Parameter storeName: that of one in a server.
  /// - Throws: `Failure` where a file is to have a store of that name, and for an address that is not
  ///   understood.
  func address(of text: String, storeName: String?) throws -> StoreAddress {
    guard let address = try address(of: text) else {
      return try StoreAddress(text, storeName: storeName)
    }
    if storeName != nil {
      throw Failure(.usage, "--store-name is about stores in a server; a file has one store.")
    }
    return .far(address)
  }

  /// The file that is meant; nil for one here.
  ///
  /// - Throws: `Failure` for an address that is not understood.
  func address(of text: String) throws -> FarFile? {
    func file(_ address: FarAddress) -> FarFile { FarFile(address, whenMissing: whenMissing) }
    if let via { return file(FarAddress(command: via, path: text, program: farProgram)) }
    guard isFar(text) else { return nil }
    do {
      return try file(FarAddress(text, program: farProgram))
    } catch {
      throw Failure(error)
    }
  }
}

/// Which store a command reads that is in no file here.
struct PlaceArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "In a server: the store of SwiftDatastore's to read, that is, the schema; without it, the tables of the "
        + "database.", valueName: "name"))
  var storeName: String?

  @OptionGroup var far: FarArguments

  /// Whether the file is one at the other end of a line.
  func isFar(_ text: String) -> Bool { far.isFar(text) }

  /// - Throws: as `FarArguments.address(of:storeName:)`.
  func address(of text: String) throws -> StoreAddress {
    try far.address(of: text, storeName: storeName)
  }
}
