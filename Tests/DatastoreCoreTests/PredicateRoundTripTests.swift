import DatastoreTestSupport
import Testing

@testable import DatastoreCore

// Promise: an expression prints as something else → it reads back equal.
// Also: `PredicateFunctionTests`
@Suite struct PredicateRoundTripTests {
  private let entity = PredicateFixture.entity()
  private let schema = PredicateFixture.schema

  /// A case is a predicate, printed in both forms and read back.
  @Test(arguments: [RandomCases.seed(0), RandomCases.seed(1)])
  func printedPredicatesReadBackEqual(seed: UInt64) throws {
    var random = RandomPredicate(seed: seed)
    for _ in 0..<RandomCases.count {
      let predicate = random.predicate()
      try predicate.validate(for: entity, in: schema)
      for text in [predicate.formatted(entity: entity, in: schema), predicate.description] {
        let back = try? PredicateParsingTests.parse(text)
        guard back == predicate else {
          Issue.record(
            "seed \(seed): \(text) read back as \(String(describing: back)), error \(String(describing: PredicateErrorTests.error(text)))"
          )
          return
        }
      }
    }
  }

  /// A case is a text: noise, or a predicate with a few characters changed.
  @Test(arguments: [RandomCases.seed(2), RandomCases.seed(3)])
  func anyTextIsReadOrRefused(seed: UInt64) {
    var random = RandomPredicate(seed: seed)
    var accepted = 0
    for _ in 0..<RandomCases.count {
      let text = random.roll(3) == 0 ? noise(&random) : mutated(random.predicate(depth: 2), &random)
      do {
        let predicate = try PredicateParsingTests.parse(text)
        accepted += 1
        // An accepted predicate can be evaluated and printed.
        _ = predicate.admits(Subject(1))
        let canonical = predicate.formatted(entity: entity, in: schema)
        #expect(
          (try? PredicateParsingTests.parse(canonical)) == predicate,
          "seed \(seed): \(text) prints as \(canonical)")
        #expect(throws: Never.self, "seed \(seed): \(text)") {
          try predicate.validate(for: entity, in: schema)
        }
      } catch {
        #expect(error.utf8Offset + error.utf8Length <= text.utf8.count, "seed \(seed): \(text)")
        #expect(error.offset + error.length <= text.count + 1, "seed \(seed): \(text)")
        #expect(error.description.contains("^"), "seed \(seed): \(text)")
      }
      _ = PredicateCompletion(of: text, at: random.roll(text.count + 1), entity: entity, in: schema)
    }
    // One in a hundred with many cases; few cases may have none.
    #expect(accepted > RandomCases.count / 200 - 1)
  }

  private func noise(_ random: inout RandomPredicate) -> String {
    let bytes = (0..<random.roll(40)).map { _ in UInt8(random.roll(256)) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func mutated(_ predicate: Predicate, _ random: inout RandomPredicate) -> String {
    var scalars = Array(predicate.formatted(entity: entity, in: schema).unicodeScalars)
    let pieces: [Unicode.Scalar] = [
      "(", ")", "{", "}", "[", "]", "\"", "'", "`", "\\", ".", "@", "%", "-", "!", "1", "e", " ",
      "\u{301}", "\u{200D}", "\r", "\n", ",", "#", "x",
    ]
    for _ in 0..<1 + random.roll(3) where !scalars.isEmpty {
      let place = random.roll(scalars.count)
      switch random.roll(4) {
      case 0: scalars.remove(at: place)
      case 1: scalars.insert(random.pick(pieces), at: place)
      case 2: scalars[place] = random.pick(pieces)
      default: scalars.removeSubrange(place..<min(place + random.roll(8), scalars.count))
      }
    }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }
}
