package import DatastoreCore

/// A question that can be sent over a line, and the form of its answer in a message.
package protocol FarQuestion: StoreQuestion, Codable {
  associatedtype Sent: Codable & Sendable = Answer

  static func sent(_ answer: Answer) -> Sent
  /// - Throws: `FarLineFault` for an invalid answer.
  static func received(_ sent: Sent) throws -> Answer
}

extension FarQuestion where Sent == Answer {
  package static func sent(_ answer: Answer) -> Answer { answer }
  package static func received(_ sent: Answer) throws -> Answer { sent }
}

struct QuestionCall<Question: FarQuestion>: FarReadingCall {
  typealias Answer = Question.Sent

  let question: Question

  func answer(in transaction: any ReadTransaction, of work: FarWork) throws -> Question.Sent {
    let schema = try work.reader.schema
    if let entity = question.entity(in: schema) { _ = try schema.entity(at: entity) }
    return Question.sent(try transaction.answer(question))
  }
}

extension CountQuestion: FarQuestion {}
extension EstimatedCountsQuestion: FarQuestion {}
extension SectionsQuestion: FarQuestion {}
extension KeysetQuestion: FarQuestion {}
extension RowPlaceQuestion: FarQuestion {}
extension ValuesQuestion: FarQuestion {}
extension AggregatesQuestion: FarQuestion {}
extension DistinctValuesQuestion: FarQuestion {}
extension MatchingKeysQuestion: FarQuestion {}
extension RelatedCountsQuestion: FarQuestion {}
extension SuggestionsQuestion: FarQuestion {}
extension FrequencyQuestion: FarQuestion {}
extension StatisticsQuestion: FarQuestion {}
extension HistogramQuestion: FarQuestion {}
extension HistogramScaleQuestion: FarQuestion {}
extension GroupedHistogramsQuestion: FarQuestion {}
extension SQLQuestion: FarQuestion {}
extension SQLNamesQuestion: FarQuestion {}

extension KeysQuestion: FarQuestion {
  package static func sent(_ answer: [RowKey]) -> FarKeyList {
    FarKeyList(KeyList(ofOneSection: KeyChunks(answer)))
  }
  package static func received(_ sent: FarKeyList) throws -> [RowKey] { Array(try sent.list.keys) }
}

extension KeyWindowQuestion: FarQuestion {
  package static func sent(_ answer: [RowKey]?) -> FarKeyList? {
    answer.map { FarKeyList(KeyList(ofOneSection: KeyChunks($0))) }
  }

  package static func received(_ sent: FarKeyList?) throws -> [RowKey]? {
    try sent.map { Array(try $0.list.keys) }
  }
}

extension KeyListQuestion: FarQuestion {
  package static func sent(_ answer: KeyList) -> FarKeyList { FarKeyList(answer) }
  package static func received(_ sent: FarKeyList) throws -> KeyList { try sent.list }
}

extension LongListQuestion: FarQuestion {
  package static func sent(_ answer: KeyList) -> FarKeyList { FarKeyList(answer) }
  package static func received(_ sent: FarKeyList) throws -> KeyList { try sent.list }
}
