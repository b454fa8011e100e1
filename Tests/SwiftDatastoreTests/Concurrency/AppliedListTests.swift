import DatastoreTestSupport
import SwiftDatastore
import Testing

// Promise: saves come while a list is read → the list ends as a fetch has it, in every order.
/// A list is read off the main actor, then the rows that observers are to be notified of, and applied
/// later. Whatever is saved here and there in between, it must end as a fetch has it.
@MainActor
@Suite("Taking over a list that was read", .serialized)
struct AppliedListTests {
  /// Saves happen here and there: before the list is read, before its rows are read, before it is applied,
  /// and after that. If both fall together, either comes first.
  private static let orders: [(here: Int, there: Int, isHereFirst: Bool)] = (0..<4).flatMap {
    here in
    (0..<4).flatMap { there in
      (here == there ? [true, false] : [here < there]).map { (here, there, $0) }
    }
  }

  @Test("Saving here and there, in every order", arguments: 0..<40, [false, true])
  func everyOrder(_ number: Int, isObserved: Bool) async throws {
    let (index, isMerged) = (number / 2, number % 2 == 0)
    #expect(Self.orders.count == 20)
    let order = Self.orders[index]
    let trial = try await AppliedListTrial(isObserved: isObserved)
    try trial.perform([.here(.stage(1)), .here(.delete(2))])
    var moments = [[AppliedListTrial.Step]](repeating: [], count: 4)
    moments[order.here].append(.here(.save))
    let there: [AppliedListTrial.Step] = [
      .there(.change(3)), .there(.delete(4)), .there(.refresh(40)),
    ]
    let place = order.isHereFirst ? moments[order.there].count : 0
    moments[order.there].insert(contentsOf: isMerged ? there + [.here(.merge)] : there, at: place)
    try await trial.run(.savingAndInserting, moments)
    try await trial.expectList("\(order), merged at once: \(isMerged)")
  }

  /// A deletion that is saved while its row is read among others must not be undone by the read values.
  @Test("A row is deleted here, and saved, while it is read for observers")
  func deletedWhileItsRowIsRead() async throws {
    let trial = try await AppliedListTrial(isObserved: true)
    try await trial.run(.batch, [[], [], [.here(.delete(3)), .here(.save)], []])
    try await trial.expectList("deleted while its row was read")
  }

  /// The values of a row are discarded when another context changes it by a batch operation; this does not
  /// delete the row.
  @Test("A known row becomes a fault while others are read for observers")
  func forgottenWhileOthersAreRead() async throws {
    let trial = try await AppliedListTrial(isObserved: true)
    try await trial.run(.savingAndInserting, [[], [], [.there(.refresh(40)), .here(.merge)], []])
    try await trial.expectList("forgotten while others were read")
  }

  /// A case is a list that is read and applied, with steps drawn before, between and after.
  @Test(arguments: RandomCases.rounds(of: 20))
  func anyStepsInBetween(round: Int) async throws {
    let seed = RandomCases.seed(round)
    var random = SeededRandom(seed: seed)
    let trial = try await AppliedListTrial(isObserved: random.below(4) > 0)
    let change = AppliedListTrial.LargeChange.allCases[random.below(3)]
    let before = (0..<random.below(3)).map { _ in AppliedListTrial.Step.here(.draw(&random)) }
    try trial.perform(before)
    let moments = (0..<4 + random.below(3)).map { _ in
      (0..<random.below(5)).map { _ in
        random.below(2) == 0 ? AppliedListTrial.Step.there(.draw(&random)) : .here(.draw(&random))
      }
    }
    try await trial.run(change, moments)
    try await trial.expectList("seed \(seed): \(change), \(before), \(moments)")
  }

  // Promise: another process inserts rows under keys that contexts have given to new objects, at any moment
  // of reading and saving → lists, relationships and values are those of a new fetch, without
  // `performFetch`.
  // Also: (seed printed), `ConcurrentContextsModelTests` (with a second process)
  /// The same, while another process commits as well, and its commits are noticed at any time after.
  @Test(arguments: RandomCases.rounds(of: 20))
  func anotherProcessCommitsInBetween(round: Int) async throws {
    let seed = RandomCases.seed(1_000_000 + round)
    var random = SeededRandom(seed: seed)
    func draw() -> AppliedListTrial.Step {
      switch random.below(4) {
      case 0: .here(.draw(&random))
      case 1: .there(.draw(&random))
      default: .otherProcess(.draw(&random))
      }
    }
    let trial = try await AppliedListTrial(isObserved: random.below(4) > 0)
    let change = AppliedListTrial.LargeChange.allCases[random.below(3)]
    let before = (0..<random.below(5)).map { _ in draw() }
    try trial.perform(before)
    let moments = (0..<4 + random.below(3)).map { _ in (0..<random.below(7)).map { _ in draw() } }
    try await trial.run(change, moments)
    try await trial.expectList("seed \(seed): \(change), \(before), \(moments)")
  }
}
