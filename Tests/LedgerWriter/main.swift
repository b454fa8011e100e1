// One of several processes on one store, which prints its acknowledged saves. `CheckpointRoundsTests` runs
// it.
import Foundation
import SwiftDatastore

final class Entry: DatastoreObject {
  @Attribute.NotOptional var writer: String
  @Attribute.NotOptional var number: Int = 0
  @Attribute.Optional var payload: Data?
}

/// LedgerWriter FILE write NAME TRANSACTIONS ENTRIES | FILE reopen NAME TIMES ENTRIES | FILE checkpoint,
/// until there is FILE.done
let arguments = CommandLine.arguments

func open() throws -> SwiftDatastore {
  try SwiftDatastore(
    dataModel: SwiftDatastoreModel(from: Entry.self), url: URL(fileURLWithPath: arguments[1]))
}

/// Saves entries of up to four pages each, and prints their number when that is done.
func write(_ number: Int, by writer: String, to datastore: SwiftDatastore) async throws {
  let count = Int(arguments[5]) ?? 0
  try await datastore.write { context in
    for part in 0..<count {
      let entry: Entry = try context.createObject()
      (entry.writer, entry.number) = (writer, number)
      entry.payload = Data(count: 100 + (number + part) % 4 * 4_000)
    }
  }
  print(number)
}

switch arguments[2] {
case "write":
  let datastore = try open()
  for number in 0..<(Int(arguments[4]) ?? 0) {
    try await write(number, by: arguments[3], to: datastore)
  }
  try datastore.close()
case "reopen":
  for number in 0..<(Int(arguments[4]) ?? 0) {
    let datastore = try open()
    try await write(number, by: arguments[3], to: datastore)
    try datastore.close()
  }
case "checkpoint":
  let datastore = try open()
  repeat {
    try datastore.checkpoint()
  } while !FileManager.default.fileExists(atPath: arguments[1] + ".done")
  try datastore.close()
default: print("unknown: \(arguments[2])")
}
