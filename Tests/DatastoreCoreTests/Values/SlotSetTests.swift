import DatastoreTestSupport
import Testing

@testable import DatastoreCore

@Suite struct SlotSetTests {
  @Test func aNewSetIsEmpty() {
    #expect(SlotSet().isEmpty)
    #expect(Array(SlotSet()) == [])
    #expect(!SlotSet().contains(0))
  }

  @Test func slotsComeInTheirOrder() {
    #expect(Array(SlotSet([7, 0, 63, 3] as [Slot])) == [0, 3, 7, 63])
  }

  @Test func slotsBeyondOneWordAreKept() {
    let set = SlotSet([63, 64, 127, 128, 200] as [Slot])
    #expect(Array(set) == [63, 64, 127, 128, 200])
    #expect(set.contains(128))
    #expect(!set.contains(129))
    #expect(!set.contains(5000))
  }

  @Test func aSlotIsInASetOnce() {
    #expect(Array(SlotSet([2, 2, 70, 70] as [Slot])) == [2, 70])
  }

  @Test func aSlotIsTakenOut() {
    var set = SlotSet([1, 2, 65] as [Slot])
    set.remove(2)
    set.remove(65)
    set.remove(66)
    set.remove(500)
    #expect(Array(set) == [1])
  }

  /// Sets are compared bit by bit, so no word may remain.
  @Test func aSetIsEqualWhateverWasInIt() {
    var set = SlotSet([1] as [Slot])
    set.insert(300)
    set.remove(300)
    #expect(set == SlotSet([1] as [Slot]))
    #expect(set.hashValue == SlotSet([1] as [Slot]).hashValue)
  }

  @Test func aSetThatLostItsLastSlotIsEmpty() {
    var set = SlotSet([100] as [Slot])
    set.remove(100)
    #expect(set.isEmpty)
  }

  @Test func setsIntersectInEveryWord() {
    #expect(SlotSet([1, 80] as [Slot]).intersects(SlotSet([80] as [Slot])))
    #expect(SlotSet([1] as [Slot]).intersects(SlotSet([1, 80] as [Slot])))
    #expect(!SlotSet([1, 80] as [Slot]).intersects(SlotSet([2, 81, 144] as [Slot])))
    #expect(!SlotSet().intersects(SlotSet([0] as [Slot])))
  }

  @Test func aUnionHasTheSlotsOfBoth() {
    var set = SlotSet([1] as [Slot])
    set.formUnion(SlotSet([130, 2] as [Slot]))
    #expect(Array(set) == [1, 2, 130])
  }

  @Test func aSetBehavesLikeASet() {
    var random = SeededRandom(seed: 11)
    for _ in 0..<50 {
      var set = SlotSet()
      var model: Set<Slot> = []
      for _ in 0..<60 {
        let slot = Slot(random.below(200))
        if random.below(3) == 0 {
          set.remove(slot)
          model.remove(slot)
        } else {
          set.insert(slot)
          model.insert(slot)
        }
      }
      #expect(Array(set) == model.sorted(), "seed \(random.seed)")
      #expect(set == SlotSet(model), "seed \(random.seed)")
    }
  }

  @Test func slotsAndEntitiesAreCounted() {
    #expect(Array(Slot(1)..<Slot(4)) == [1, 2, 3])
    #expect(EntityIndex(2).advanced(by: 3) == 5)
    #expect(Slot(9).description == "9")
    #expect(RowKey(-4).description == "-4")
  }

  @Test func keysAreInOrder() {
    #expect([RowKey(3), -1, 2].sorted() == [-1, 2, 3])
  }

  @Test func danglingKeysAreTheLeastOnes() {
    #expect(DanglingKey.isOne(RowKey(Int64.min)))
    #expect(DanglingKey.isOne(RowKey(Int64.min + 5)))
    #expect(!DanglingKey.isOne(0))
    #expect(!DanglingKey.isOne(-1))
  }

  @Test func arraysAreAskedByPlace() {
    var values: BySlot<String> = ["a", "b"]
    let place = values.append("c")
    #expect(place == 2)
    values[1] = "B"
    #expect(values.placed.map { "\($0)\($1)" } == ["0a", "1B", "2c"])
    #expect(Array(values.indices) == [0, 1, 2])
    #expect(BySlot(repeating: 0, count: 2) == [0, 0])
  }

  @Test func anArrayIsCutIntoPortions() {
    #expect([1, 2, 3, 4, 5].portions(of: 2).map(Array.init) == [[1, 2], [3, 4], [5]])
    #expect([1, 2].portions(of: 2).map(Array.init) == [[1, 2]])
    #expect([Int]().portions(of: 3).isEmpty)
  }

  @Test func theBorderOfASortedListIsFound() {
    let numbers = [1, 3, 3, 7]
    #expect(numbers.partitioningIndex { $0 >= 3 } == 1)
    #expect(numbers.partitioningIndex { $0 > 3 } == 3)
    #expect(numbers.partitioningIndex { $0 > 0 } == 0)
    #expect(numbers.partitioningIndex { $0 > 7 } == 4)
    #expect([Int]().partitioningIndex { $0 > 7 } == 0)
  }
}
