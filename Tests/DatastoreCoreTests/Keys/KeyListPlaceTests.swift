import Testing

@testable import DatastoreCore

/// A list of keys in sections, and the places in it.
@Suite struct KeyListPlaceTests {
  private let list = KeyList(
    keys: [10, 11, 12, 13, 14, 15],
    sections: [
      .init(value: "a", count: 2), .init(value: "b", count: 1), .init(value: "c", count: 3),
    ])

  @Test func sectionsBeginWhereTheOnesBeforeEnd() {
    #expect(list.starts == [0, 2, 3])
  }

  @Test func aPlaceIsInASection() {
    #expect((0..<6).map(list.section(at:)) == [0, 0, 1, 2, 2, 2])
  }

  @Test func aRowOfASectionHasAPlace() {
    #expect(list.index(section: 0, row: 1) == 1)
    #expect(list.index(section: 2, row: 2) == 5)
  }

  @Test func rowsOutsideOfTheirSectionHaveNone() {
    #expect(list.index(section: 0, row: 2) == nil)
    #expect(list.index(section: 3, row: 0) == nil)
    #expect(list.index(section: 0, row: -1) == nil)
    #expect(list.index(section: -1, row: 0) == nil)
  }

  @Test func aPartHasItsPartsOfSections() {
    let part = list.part(1..<4)
    #expect(part.keys == [11, 12, 13])
    #expect(part.sections.map(\.value) == ["a", "b", "c"])
    #expect(part.sections.map(\.count) == [1, 1, 1])
  }

  @Test func sectionsOutsideOfAPartAreLeftOut() {
    #expect(list.part(3..<6).sections == [.init(value: "c", count: 3)])
    #expect(list.part(4..<100).keys == [14, 15])
    #expect(list.part(0..<0).sections == [])
  }

  @Test func startsFollowTheSections() {
    var list = list
    list.sections.removeFirst()
    #expect(list.starts == [0, 1])
  }

  @Test func aListMayBeOneSection() {
    #expect(KeyList(ofOneSection: [1, 2]).sections == [.init(value: .null, count: 2)])
    #expect(KeyList(ofOneSection: []).sections == [])
  }

  @Test func keysInARowTakeNoRoom() {
    let run = KeyChunks(1...1_000_000)
    #expect(run.count == 1_000_000)
    #expect(run.chunks.count == 1)
    #expect(run[999_999] == 1_000_000)
    #expect(run.firstIndex(of: 500_000) == 499_999)
    #expect(run.firstIndex(of: 0) == nil)
  }

  @Test func keysFarFromEachOtherAreKept() {
    let keys: [RowKey] = [RowKey(.min), 0, RowKey(.max)]
    let packed = KeyChunks(keys)
    #expect(packed == keys)
    #expect(packed.firstIndex(of: RowKey(.max)) == 2)
  }

  @Test func equalListsAreEqualHoweverTheyCameAbout() {
    var edited = KeyChunks([1, 2, 4])
    edited.insert(3, at: 2)
    #expect(edited == KeyChunks(1...4))
    #expect(edited.hashValue == KeyChunks(1...4).hashValue)
  }

  @Test func stretchesAreReplaced() {
    var keys = KeyChunks(1...10)
    keys.replaceSubrange(2..<5, with: [70, 80])
    #expect(keys == [1, 2, 70, 80, 6, 7, 8, 9, 10])
    keys.replaceSubrange(0..<0, with: [0])
    #expect(keys.first == 0)
    keys.replaceSubrange(0..<keys.count, with: [])
    #expect(keys.isEmpty)
  }

  @Test func theLastKeyOfAListIsTakenOut() {
    var keys: KeyChunks = [5]
    let key = keys.remove(at: 0)
    #expect(key == 5)
    #expect(keys.isEmpty && keys.chunks.isEmpty)
  }

  @Test func noChangeIsEmpty() {
    #expect(MergedKeys().isEmpty)
    #expect(!MergedKeys.everything.isEmpty)
    #expect(ChangeSet().isEmpty)
  }

  @Test func anUpdateIsLaidOverARow() {
    let old = RowReference([1, "a", .null], key: 7, columnCount: 3)
    let new = RowReference([2, "b", 3.5], key: 7, columnCount: 3)
    let update = RowUpdate(
      key: 7, page: new.page, row: 0, original: old.page, originalRow: 0,
      slots: SlotSet([0, 2] as [Slot]))
    let merged = RowPage(merging: update, into: old.page, row: 0)
    #expect((0..<3).map { merged.value(row: 0, column: $0) } == [2, "a", 3.5])
    #expect(merged.key(ofRow: 0) == 7)
  }

  @Test func cellsAreComparedByWhatTheyHold() {
    let one = RowReference([1, "a", .null], key: 1, columnCount: 3)
    let other = RowReference([1.0, "a", .null], key: 2, columnCount: 3)
    #expect(!one.isSame(as: other, slot: 0))
    #expect(one.isSame(as: other, slot: 1))
    #expect(one.isSame(as: other, slot: 2))
    #expect(one.key == 1 && other.key == 2)
  }

  @Test func aBatchSaysWhichCellsWereGiven() {
    var batch = RowBatch(slotCount: 3)
    for number in 0..<3 {
      batch.append()
      batch.set(.integer(Int64(number)), row: number, slot: Slot(number))
    }
    batch.append()
    batch.removeLast()
    #expect(batch.count == 3 && batch.page.rowCount == 3)
    #expect(batch.given.map(Array.init) == [[0], [1], [2]])
    batch.page.seal()
    let kept = batch.filtered { $0 != 1 }
    kept.page.seal()
    #expect(kept.given.map(Array.init) == [[0], [2]])
    #expect(kept.page.value(row: 1, column: 2) == 2)
    #expect(kept.page.value(row: 1, column: 0) == .null)
  }
}

/// The order in which reading a long list continues.
@Suite struct KeysetOrderTests {
  private let entity = PredicateFixture.entity()

  private func keyset(_ descriptors: SortDescriptor...) -> KeysetOrder? {
    KeysetOrder(descriptors, of: entity)
  }

  @Test func withoutAnOrderKeysDecide() {
    #expect(keyset()?.isOfKeys == true)
    #expect(keyset()?.paths == [])
    #expect(keyset(SortDescriptor([], ascending: false))?.isOfKeys == false)
  }

  @Test func whatHasNoColumnCannotBeGoneOnFrom() {
    #expect(keyset(SortDescriptor(["name"], options: .caseInsensitive)) == nil)
    #expect(keyset(SortDescriptor(["manager", "name"])) == nil)
    #expect(keyset(SortDescriptor(.count(["tasks"]))) == nil)
    #expect(keyset(SortDescriptor(["tags"])) == nil)
  }

  /// Stored as integers, reals and text, decimals have no order of their own in a column.
  @Test func decimalsCannotBeGoneOnFrom() {
    #expect(keyset(SortDescriptor(["bonus"])) == nil)
  }

  @Test func aSecondOrderByTheSameIsNone() {
    let order = keyset(SortDescriptor(["age"]), SortDescriptor(["age"], ascending: false))
    #expect(order?.paths == [["age"]])
  }

  @Test func nothingDecidesBehindKeys() {
    #expect(keyset(SortDescriptor([]), SortDescriptor(["age"]))?.isOfKeys == true)
  }

  @Test func missingValuesAreAPartOfTheirOwn() throws {
    let up = try #require(keyset(SortDescriptor(["age"])))
    #expect(up.parts.map { $0.condition?.description } == ["age == NULL", "age != NULL"])
    let down = try #require(keyset(SortDescriptor(["age"], ascending: false)))
    #expect(down.parts.map { $0.condition?.description } == ["age != NULL", "age == NULL"])
  }

  @Test func whatFollowsAValue() throws {
    let order = try #require(keyset(SortDescriptor(["age"])))
    #expect(
      order.parts(after: [30], key: 7).map { $0.condition?.description } == [
        "age == 30 AND SELF > 7", "age > 30",
      ])
  }

  @Test func whatFollowsAMissingValue() throws {
    let order = try #require(keyset(SortDescriptor(["age"])))
    #expect(
      order.parts(after: [.null], key: 7).map { $0.condition?.description } == [
        "age == NULL AND SELF > 7", "age != NULL",
      ])
  }

  @Test func downwardsMissingValuesFollow() throws {
    let order = try #require(keyset(SortDescriptor(["age"], ascending: false)))
    #expect(
      order.parts(after: [30], key: 7).map { $0.condition?.description } == [
        "age == 30 AND SELF > 7", "age < 30", "age == NULL",
      ])
    #expect(
      order.parts(after: [.null], key: 7).map { $0.condition?.description } == [
        "age == NULL AND SELF > 7"
      ])
  }

  @Test func theOtherDirectionTurnsEverythingAround() throws {
    let order = try #require(keyset(SortDescriptor(["age"]))).reversed
    #expect(
      order.parts(after: [30], key: 7).map { $0.condition?.description } == [
        "age == 30 AND SELF < 7", "age < 30", "age == NULL",
      ])
    #expect(order.reversed == keyset(SortDescriptor(["age"])))
  }

  @Test func conditionsSayWhichPathsHaveAValue() throws {
    func present(_ text: String) throws -> Set<[String]> {
      try Predicate.parse(text, entity: entity, in: PredicateFixture.schema).presentPaths
    }
    #expect(try present("age != NULL AND name == \"x\"") == [["age"], ["name"]])
    #expect(try present("age == NULL") == [])
    #expect(try present("age != 3") == [])
    #expect(try present("age > 3 OR name == \"x\"") == [])
    #expect(try present("NOT age == 3") == [])
  }

  @Test func theLastBinOfAHistogramEndsAtTheMaximum() {
    let histogram = Histogram(
      minimum: 0, maximum: 10, width: 3, counts: [1, 2, 3, 4], otherCount: 0)
    #expect(histogram.bounds(of: 0) == (0, 3))
    #expect(histogram.bounds(of: 3) == (9, 10))
  }
}
