import DatastoreCore
import DatastoreSQLite
import Foundation
import SwiftDatastore
import Testing

private final class Seat: DatastoreObject {
  @Attribute.NotOptional(unique: true) var number: Int
  @Attribute.NotOptional(unique: true) var label: String
  @Attribute.NotOptional(unique: true) var code: UUID
  @Attribute.Optional(unique: true) var guest: String?
}

private final class Row: DatastoreObject {
  override class var uniqueConstraints: [[AnyKeyPath]] { [[\Row.$name, \Row.$wagon]] }
  @Attribute.NotOptional var name: String
  @Relationship.ToOne(inverse: \.$rows) var wagon: Wagon?
}

private final class Wagon: DatastoreObject {
  @Attribute.NotOptional var number: Int
  @Relationship.ToMany var rows: Set<Row>
}

// Promise: unique values are exchanged in one save → saved; a value that is really taken is refused.
/// Values that no two objects may share, exchanged in one save.
@MainActor
@Suite("Exchanging unique values")
struct UniqueSwapTests {
  private func makeSeats(_ count: Int) throws -> (SwiftDatastore, [Seat]) {
    let datastore = try SwiftDatastore(
      dataModel: SwiftDatastoreModel(from: Seat.self), storeName: UUID().uuidString,
      storingType: .test)
    let seats = try (0..<count).map { number in
      let seat: Seat = try datastore.sharedViewContext.createObject()
      seat.number = number
      seat.label = "s\(number)"
      seat.code = UUID()
      seat.guest = "g\(number)"
      return seat
    }
    try datastore.sharedViewContext.saveChanges()
    return (datastore, seats)
  }

  @Test("Two objects exchange mandatory values of every kind")
  func swap() async throws {
    let (datastore, seats) = try makeSeats(2)
    let codes = seats.map(\.code)
    (seats[0].number, seats[1].number) = (seats[1].number, seats[0].number)
    (seats[0].label, seats[1].label) = (seats[1].label, seats[0].label)
    (seats[0].code, seats[1].code) = (seats[1].code, seats[0].code)
    (seats[0].guest, seats[1].guest) = (seats[1].guest, seats[0].guest)
    try datastore.sharedViewContext.saveChanges()
    let stored = try await datastore.newContext().perform { context in
      (try context.fetch(orderBy: [.asc(\.$number)]) as [Seat]).map {
        ("\($0.number) \($0.label) \($0.guest ?? "-")", $0.code)
      }
    }
    #expect(stored.map(\.0) == ["0 s0 g0", "1 s1 g1"] && stored.map(\.1) == codes)
    let keys = try await datastore.newContext().perform { context in
      (try context.fetch(orderBy: [.asc(\.$number)]) as [Seat]).map(\.key)
    }
    #expect(keys == [seats[1].key, seats[0].key])
  }

  @Test("All move on by one, in a circle and in a row", arguments: [true, false])
  func shift(isCircle: Bool) async throws {
    let (datastore, seats) = try makeSeats(2_000)
    for seat in seats {
      seat.number = isCircle ? (seat.number + 1) % seats.count : seat.number + 1
    }
    try datastore.sharedViewContext.saveChanges()
    let sum = try datastore.sharedViewContext.aggregate(.sum(\.$number), of: Seat.self)
    #expect(sum == 1_999_000 + (isCircle ? 0 : 2_000))
  }

  @Test("A value that is really taken is refused, with the object's name, and nothing is written")
  func taken() throws {
    let (datastore, seats) = try makeSeats(3)
    (seats[0].number, seats[1].number) = (1, 2)
    #expect(throws: StoreError.self) { try datastore.sharedViewContext.saveChanges() }
    datastore.sharedViewContext.revertChanges()
    #expect(seats.map(\.number) == [0, 1, 2])
    #expect(try datastore.sharedViewContext.count(Seat.self, where: \.$number == 0) == 1)
  }

  @Test("A conflict is found also where rows exchange values")
  func conflict() async throws {
    let (datastore, seats) = try makeSeats(2)
    (seats[0].number, seats[1].number) = (1, 0)
    whileMainWaits(datastore.newContext()) { context in
      let seat: Seat? = try context.fetchFirst(where: \.$number == 1)
      seat?.number = 9
      try context.saveChanges()
    }
    let error = #expect(throws: (any Error).self) { try datastore.sharedViewContext.saveChanges() }
    #expect("\(try #require(error))".contains("Seat"))
    datastore.sharedViewContext.revertChanges()
    await drainMainQueue()
    #expect(seats.map(\.number) == [0, 9])
  }

  @Test("Relationships that are part of what is unique")
  func relationships() async throws {
    let datastore = try SwiftDatastore(
      dataModel: SwiftDatastoreModel(from: Row.self, Wagon.self), storeName: UUID().uuidString,
      storingType: .test)
    let view = datastore.sharedViewContext
    let wagons = try (0..<2).map { number in
      let wagon: Wagon = try view.createObject()
      wagon.number = number
      return wagon
    }
    let rows = try wagons.map { wagon in
      let row: Row = try view.createObject()
      row.name = "first"
      row.wagon = wagon
      return row
    }
    try view.saveChanges()
    (rows[0].wagon, rows[1].wagon) = (wagons[1], wagons[0])
    try view.saveChanges()
    let stored = try await datastore.newContext().perform { context in
      (try context.fetch() as [Row]).sorted { $0.key < $1.key }.map { $0.wagon?.number }
    }
    #expect(stored == [1, 0])
  }
}
