import DatastoreTestSupport
import Foundation

/// How many rounds the tests run that kill the program: few, unless `make fault-tests` asks for more.
enum FaultRounds {
  /// Rounds of each test: `DATASTORE_FAULT_ROUNDS`, else 3.
  static let count =
    ProcessInfo.processInfo.environment["DATASTORE_FAULT_ROUNDS"].flatMap { Int($0) } ?? 3

  /// The same for migrations, which are quick: 20 by default.
  static let migrationCount =
    ProcessInfo.processInfo.environment["DATASTORE_FAULT_ROUNDS"].flatMap { Int($0) } ?? 20

  /// Prints the result of a loop on standard error.
  static func report(_ sentence: String) {
    FileHandle.standardError.write(Data("\(sentence)\n".utf8))
  }
}
