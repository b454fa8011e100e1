import Testing

@testable import DatastoreCore

@Suite struct AttributeTypeTests {
  @Test func numbersAreNumeric() {
    #expect(
      AttributeType.allCases.filter(\.isNumeric) == [
        .integer8, .integer16, .integer32, .integer64, .unsigned8, .unsigned16, .unsigned32,
        .unsigned64, .float, .double, .decimal,
      ])
  }

  @Test func numbersWithAPointAreNoIntegers() {
    #expect(
      AttributeType.allCases.filter { $0.isNumeric && !$0.isInteger } == [
        .float, .double, .decimal,
      ])
  }

  @Test func signedIntegersHaveTheRangeOfTheirBits() {
    #expect(AttributeType.integer8.wholeNumbers == -128...127)
    #expect(AttributeType.integer16.wholeNumbers == -32_768...32_767)
    #expect(AttributeType.integer32.wholeNumbers == -2_147_483_648...2_147_483_647)
    #expect(AttributeType.integer64.wholeNumbers == Int64.min...Int64.max)
  }

  @Test func unsignedIntegersBeginAtZero() {
    #expect(AttributeType.unsigned8.wholeNumbers == 0...255)
    #expect(AttributeType.unsigned16.wholeNumbers == 0...65_535)
    #expect(AttributeType.unsigned32.wholeNumbers == 0...4_294_967_295)
  }

  /// A column holds signed integers of 64 bits.
  @Test func unsignedIntegersOf64BitsEndWhereColumnsDo() {
    #expect(AttributeType.unsigned64.wholeNumbers == 0...Int64.max)
  }

  @Test func booleansAreZeroAndOne() {
    #expect(AttributeType.boolean.wholeNumbers == 0...1)
  }

  @Test func otherTypesHoldNoWholeNumbers() {
    for type in AttributeType.allCases where !type.isInteger && type != .boolean {
      #expect(type.wholeNumbers == nil, "\(type)")
    }
  }

  @Test func inOtherFilesIntegersAreOfOneSize() {
    for type in AttributeType.allCases where type.isInteger {
      #expect(type.foreignType == .integer64, "\(type)")
    }
  }

  @Test func inOtherFilesWhatIsWrittenIsText() {
    for type in [AttributeType.string, .url, .date, .calendarDate, .uuid, .decimal, .undefined] {
      #expect(type.foreignType == .string, "\(type)")
    }
  }

  @Test func inOtherFilesRealsBooleansAndBytesStay() {
    #expect(AttributeType.float.foreignType == .double)
    #expect(AttributeType.boolean.foreignType == .boolean)
    #expect(AttributeType.coded.foreignType == .data)
  }

  @Test func typesHaveWords() {
    #expect(AttributeType.integer16.word == "integer")
    #expect(AttributeType.unsigned8.word == "unsigned")
    #expect(AttributeType.float.word == "real")
    #expect(AttributeType.string.word == "text")
    #expect(AttributeType.date.word == "date-time")
    #expect(AttributeType.calendarDate.word == "date")
    #expect(AttributeType.undefined.word == "any")
  }
}
