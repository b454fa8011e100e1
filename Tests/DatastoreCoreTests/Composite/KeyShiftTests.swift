import DatastoreTestSupport
import Testing

@testable import DatastoreCore

/// Keys of several stores under one list: each store has a stretch of them.
@Suite struct KeyShiftTests {
  /// Companies in the first store, employees in the second, tasks and tags in the third.
  private let shift = KeyShift(ranks: [0, 1, 2, 2], schema: CompanySchema.schema)

  @Test func theFirstStoreKeepsItsKeys() {
    #expect(shift.shared(RowKey(7), of: 0) == 7)
    #expect(shift.own(RowKey(7), of: 0) == 7)
    #expect(shift.shared(RowKey(-7), of: 0) == -7)
  }

  @Test func otherStoresHaveTheirOwnStretch() {
    #expect(shift.shared(RowKey(7), of: 1) == RowKey(1 << 56 + 7))
    #expect(shift.shared(RowKey(-7), of: 2) == RowKey(2 << 56 - 7))
  }

  @Test func keysComeBack() {
    for key in [0, 1, -1, 1 << 55 - 1, -(1 << 55)] as [Int64] {
      for entity in EntityIndex(0)..<EntityIndex(4) {
        #expect(shift.own(shift.shared(RowKey(key), of: entity), of: entity) == RowKey(key))
      }
    }
  }

  @Test func aKeySaysItsStore() {
    #expect(KeyShift.rank(of: 7) == 0)
    #expect(KeyShift.rank(of: -7) == 0)
    #expect(KeyShift.rank(of: shift.shared(RowKey(7), of: 1)) == 1)
    #expect(KeyShift.rank(of: shift.shared(RowKey(-7), of: 1)) == 1)
    #expect(KeyShift.rank(of: shift.shared(RowKey(7), of: 2)) == 2)
  }

  @Test func stretchesFollowEachOtherWithoutGaps() {
    for rank in 0..<10 {
      let (keys, next) = (KeyShift.keys(ofRank: rank), KeyShift.keys(ofRank: rank + 1))
      #expect(keys.upperBound.rawValue + 1 == next.lowerBound.rawValue)
      #expect(KeyShift.rank(of: keys.upperBound) == rank)
      #expect(KeyShift.rank(of: next.lowerBound) == rank + 1)
    }
  }

  @Test func danglingKeysStayDangling() {
    let dangling = RowKey(.min + 5)
    let shared = shift.shared(dangling, of: 1)
    #expect(DanglingKey.isOne(shared))
    #expect(KeyShift.rank(of: shared) == 1)
    #expect(shift.own(shared, of: 1) == dangling)
  }

  @Test func aKeyBeyondItsStretchIsRefused() {
    #expect(throws: StoreError.self) { try shift.shared([RowKey(1 << 55)], of: 1) }
    #expect(throws: StoreError.self) { try shift.shared([RowKey(-(1 << 55) - 1)], of: 1) }
    #expect(throws: Never.self) { try shift.shared([RowKey(1 << 55 - 1)], of: 1) }
  }

  @Test func onlyKeysAreMoved() {
    #expect(shift.shared(Value.integer(7), of: 1) == .integer(1 << 56 + 7))
    #expect(shift.shared(Value.null, of: 1) == .null)
    #expect(shift.shared(Value.text("7"), of: 1) == "7")
  }

  private func own(_ text: String, _ name: String = "Employee") throws -> String {
    let schema = CompanySchema.schema
    let entity = try #require(schema.entity(named: name))
    return try shift.own(Predicate.parse(text, entity: entity, in: schema), of: entity).description
  }

  @Test func attributesStayInConditions() throws {
    #expect(try own("age == 7") == "age == 7")
  }

  @Test func keysInConditionsAreThoseOfTheStore() throws {
    #expect(try own("SELF == \(1 << 56 + 7)") == "SELF == 7")
    #expect(try own("SELF IN {\(1 << 56 + 7), \(1 << 56 + 8)}") == "SELF IN {7, 8}")
  }

  @Test func referencesAreThoseOfTheirStore() throws {
    #expect(try own("company == 7") == "company == 7")
    #expect(try own("owner == \(1 << 56 + 7)", "Task") == "owner == 7")
  }

  @Test func keysOfOtherStoresAreNotHere() throws {
    #expect(try own("SELF == 7") == "FALSEPREDICATE")
    #expect(try own("SELF != 7") == "TRUEPREDICATE")
    #expect(try own("SELF IN {7, 8}") == "FALSEPREDICATE")
  }

  @Test func allKeysOfAStoreAreOnOneSide() throws {
    #expect(try own("SELF > 7") == "TRUEPREDICATE")
    #expect(try own("SELF <= 7") == "FALSEPREDICATE")
    #expect(try own("SELF < \(2 << 56)") == "TRUEPREDICATE")
  }

  @Test func whatIsDecidedLeavesItsGroup() throws {
    #expect(try own("age == 1 AND SELF > 7") == "age == 1")
    #expect(try own("age == 1 AND SELF == 7") == "FALSEPREDICATE")
    #expect(try own("age == 1 OR SELF == 7") == "age == 1")
    #expect(try own("age == 1 OR SELF > 7") == "TRUEPREDICATE")
    #expect(try own("NOT SELF == 7") == "TRUEPREDICATE")
  }

  @Test func onlyWhatHasOtherKeysChanges() {
    let single = KeyShift(ranks: [0, 0, 0, 0], schema: CompanySchema.schema)
    #expect(!single.changes(0))
    #expect(shift.changes(0))
    #expect(shift.changes(1))
  }
}
