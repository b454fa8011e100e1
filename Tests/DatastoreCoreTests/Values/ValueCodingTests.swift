import Foundation
import Testing

@testable import DatastoreCore

/// Values in JSON, as files keep descriptions.
@Suite struct ValueCodingTests {
  private func json(_ value: Value) throws -> String {
    String(decoding: try JSONEncoder().encode([value]), as: UTF8.self)
  }

  private func value(_ json: String) throws -> Value {
    let values = try JSONDecoder().decode([Value].self, from: Data("[\(json)]".utf8))
    return try #require(values.first)
  }

  @Test func nullIsNull() throws {
    #expect(try json(.null) == "[null]")
    #expect(try value("null") == .null)
  }

  @Test func integersAreNumbers() throws {
    #expect(try json(.integer(.min)) == "[-9223372036854775808]")
    #expect(try value("-9223372036854775808") == .integer(.min))
  }

  @Test func textsAreStrings() throws {
    #expect(try json("a\"b") == #"["a\"b"]"#)
    #expect(try value(#""a\"b""#) == "a\"b")
  }

  @Test func realsSayThatTheyAreReals() throws {
    #expect(try json(2.5) == #"[{"real":2.5}]"#)
    #expect(try value(#"{"real":2}"#) == .real(2))
  }

  @Test func blobsAreBase64() throws {
    #expect(try json(.blob(Data([1, 2, 3]))) == #"[{"blob":"AQID"}]"#)
    #expect(try value(#"{"blob":"AQID"}"#) == .blob(Data([1, 2, 3])))
  }

  @Test func aTextThatLooksLikeANumberStaysText() throws {
    #expect(try value(json("17").dropFirst().dropLast().description) == "17")
  }

  @Test func whatIsNoValueIsRefused() {
    #expect(throws: DecodingError.self) { try value("true") }
    #expect(throws: DecodingError.self) { try value("[1]") }
    #expect(throws: DecodingError.self) { try value("{}") }
  }
}
