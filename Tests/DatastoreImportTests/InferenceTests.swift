import DatastoreImport
import DatastoreTestSupport
import Foundation
import Testing

@Suite("Inference of column types")
struct ColumnTypeInferenceTests {
  @Test(
    "The narrowest type that loses nothing",
    arguments: [
      ([], nil), (["", ""], nil), (["true", "FALSE"], .boolean), (["NO", "SE"], .string),
      (["yes", "no"], .string), (["0", "1"], .integer), (["-5", "", "12"], .integer),
      (["007", "12"], .string), (["+48", "12"], .string), (["1", "2.5"], .double),
      (["1e3"], .double), (["1,5"], .string), (["NaN"], .string), ([" 1"], .string),
      (["1.5 "], .string), (["9223372036854775808"], .string),
      (["9007199254740993", "0.5"], .string), (["3.14159265358979323846"], .string),
      (["1987-03-02"], .day), (["1987-03-02", "2024-05-01T09:30:00Z"], .date),
      (["1987-02-30"], .string), (["19870302"], .integer), (["1987-03-02", "5"], .string),
      (["DD0C2F09-F6C9-5BD9-9124-EB1E7C5791D8", "dd0c2f09-f6c9-5bd9-9124-eb1e7c5791d8"], .uuid),
      (["https://example.org/a?b=c", "file:///tmp/x"], .url), (["https://"], .string),
      (["a://b c"], .string), (["mailto:a@b.example"], .string), (["true", "1"], .string),
      (["x"], .string),
    ] as [([String], ColumnType?)])
  func texts(texts: [String], expected: ColumnType?) {
    #expect(ColumnTypeInference.type(of: texts.map(ImportValue.text)) == expected)
  }

  @Test(
    "Where text is declared, every number is one",
    arguments: [
      (["1.5", "inf"], .double), (["1", "-inf"], .double), (["inf", "x"], .string),
      (["1", "18446744073709551615"], .decimal), (["0.5", "12345678901234567890.12"], .decimal),
      (["9007199254740993", "0.5"], .decimal), (["1e300", "18446744073709551615"], .string),
      (["inf", "18446744073709551615"], .string), (["2024-01-05"], .day), (["1e999"], .string),
      (["123456789012345678901234567890123456789"], .string),
    ] as [([String], ColumnType?)])
  func everyNumber(texts: [String], expected: ColumnType?) {
    let reading = ValueReading(takesEveryNumber: true)
    #expect(ColumnTypeInference.type(of: texts.map(ImportValue.text), reading) == expected)
    if texts.contains(where: { $0.hasSuffix("inf") }) {
      #expect(ColumnTypeInference.type(of: texts.map(ImportValue.text)) == .string)
    }
  }

  @Test("Typed values and texts count alike, and null says nothing")
  func values() {
    typealias Inference = ColumnTypeInference
    #expect(Inference.type(of: [.null, .integer(1), .text("2")]) == .integer)
    #expect(Inference.type(of: [.integer(1), .real(2)]) == .double)
    #expect(Inference.type(of: [.boolean(true), .null]) == .boolean)
    #expect(Inference.type(of: [.boolean(true), .integer(1)]) == .string)
    #expect(Inference.type(of: [.list([.integer(1)])]) == .string)
    #expect(Inference.type(of: [.null]) == nil)
  }

  @Test("The order of the values makes no difference")
  func order() {
    let texts = ["", "true", "1", "2.5", "x", "1987-03-02", "9007199254740993", "http://a.example"]
    for seed in RandomCases.rounds(of: 1).map({ RandomCases.seed($0) }) {
      var random = SeededRandom(seed: seed)
      let sample = texts.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random))
        .map(ImportValue.text)
      #expect(
        ColumnTypeInference.type(of: sample)
          == ColumnTypeInference.type(of: sample.shuffled(using: &random)), "seed \(seed)")
    }
  }
}
