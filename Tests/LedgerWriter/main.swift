// One of several processes on one store, which prints what was acknowledged to it. `CheckpointRoundsTests` runs it.
import Foundation
import SwiftDatastore

final class Entry: DatastoreObject {
  @Attribute.NotOptional var writer: String
  @Attribute.NotOptional var number: Int = 0
  @Attribute.Optional var payload: Data?
}

/// LedgerWriter FILE write NAME TRANSACTIONS | FILE reopen NAME TIMES | FILE checkpoint TIMES
let arguments = CommandLine.arguments

func open() throws -> SwiftDatastore {
  try SwiftDatastore(
    dataModel: SwiftDatastoreModel(from: Entry.self), url: URL(fileURLWithPath: arguments[1]))
}

/// Saves ten entries of one to four pages each, and prints their number when that is done.
func write(_ number: Int, by writer: String, to datastore: SwiftDatastore) async throws {
  try await datastore.write { context in
    for part in 0..<10 {
      let entry: Entry = try context.createObject()
      (entry.writer, entry.number) = (writer, number)
      entry.payload = Data(count: 3_000 + (number + part) % 4 * 4_000)
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
  for _ in 0..<(Int(arguments[3]) ?? 0) { try datastore.checkpoint() }
  try datastore.close()
default: print("unknown: \(arguments[2])")
}
