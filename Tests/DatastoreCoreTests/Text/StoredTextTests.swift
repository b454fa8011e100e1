import Foundation
import Testing

@testable import DatastoreCore

/// Bytes that are no UTF-8 pass unchanged, in characters that no one uses.
@Suite struct StoredTextTests {
  private func text(_ bytes: [UInt8]) -> String {
    bytes.withUnsafeBufferPointer { String(stored: $0) }
  }

  private func bytes(_ text: String) -> [UInt8] {
    var text = text
    return text.withStoredUTF8 { Array($0) }
  }

  @Test func textIsText() {
    #expect(text(Array("Zoë 😀".utf8)) == "Zoë 😀")
    #expect(text([]) == "")
  }

  @Test func bytesThatAreNoTextComeBack() {
    for foreign in [[0xFF], [0x61, 0x80, 0x62], [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98]]
      as [[UInt8]]
    {
      #expect(bytes(text(foreign)) == foreign)
    }
  }

  @Test func overlongAndSurrogateFormsAreNoText() {
    for foreign in [[0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80]] as [[UInt8]] {
      #expect(text(foreign).unicodeScalars.allSatisfy { $0.foreignByte != nil })
      #expect(bytes(text(foreign)) == foreign)
    }
  }

  @Test func whatLooksLikeAMarkComesBackAsWell() {
    let marked = Array("a\u{10FEFF}b".utf8)
    #expect(bytes(text(marked)) == marked)
  }

  @Test func aMarkIsShownAsAReplacement() {
    #expect(text([0x61, 0xFF, 0x62]).repaired == "a\u{FFFD}b")
    #expect("Zoë".repaired == "Zoë")
  }

  @Test func theFirstFaultIsFound() {
    func fault(_ bytes: [UInt8], from start: Int = 0) -> Int? {
      bytes.withUnsafeBufferPointer { UTF8Sequences.firstFault(in: $0, from: start) }
    }
    #expect(fault(Array("Zoë 😀".utf8)) == nil)
    #expect(fault([0x61, 0x80]) == 1)
    #expect(fault([0x61, 0xE2, 0x82]) == 1)
    #expect(fault([0xF5, 0x80, 0x80, 0x80]) == 0)
    #expect(fault([0xF4, 0x90, 0x80, 0x80]) == 0)
    #expect(fault([0xFF, 0x61, 0xFF], from: 1) == 2)
  }

  @Test func aUUIDHasSixteenBytes() {
    let id = UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF")
    #expect(
      id?.bytes
        == Data([
          0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xAA, 0xBB, 0xCC, 0xDD, 0xEE,
          0xFF,
        ]))
    #expect(id.flatMap { UUID(bytes: $0.bytes) } == id)
    #expect(UUID(bytes: Data([1])) == nil)
  }

  /// A slice of data does not begin at 0.
  @Test func aUUIDIsReadFromTheMiddleOfData() {
    let data = Data([9]) + Data(0..<16)
    #expect(UUID(bytes: data[1...])?.bytes == Data(0..<16))
  }
}

@Suite struct HexadecimalTests {
  @Test func bytesAreTwoDigitsEach() {
    #expect(Hexadecimal.text([0x00, 0x0F, 0xA5]) == "000FA5")
    #expect(Hexadecimal.text([0xA5], Hexadecimal.lowercase) == "a5")
    #expect(Hexadecimal.text([]) == "")
  }

  @Test func digitsAreReadInAnyCase() {
    #expect(Hexadecimal.bytes("000fA5") == [0x00, 0x0F, 0xA5])
    #expect(Hexadecimal.bytes("") == [])
  }

  @Test func halfAByteIsNoByte() {
    #expect(Hexadecimal.bytes("0") == nil)
    #expect(Hexadecimal.bytes("123") == nil)
  }

  @Test func otherCharactersAreNoDigits() {
    #expect(Hexadecimal.bytes("0g") == nil)
    #expect(Hexadecimal.bytes("0x") == nil)
    #expect(Hexadecimal.bytes(" 0") == nil)
    #expect(Hexadecimal.bytes("é") == nil)
  }
}

@Suite struct FingerprintTests {
  /// The vectors of FNV-1a with 64 bits: <http://www.isthe.com/chongo/tech/comp/fnv/>.
  @Test func fingerprintsAreThoseOfFNV() {
    #expect(Fingerprint("").value == 0xcbf2_9ce4_8422_2325)
    #expect(Fingerprint("a").value == 0xaf63_dc4c_8601_ec8c)
    #expect(Fingerprint("foobar").value == 0x8594_4171_f739_67e8)
  }

  @Test func fingerprintsAreWrittenInHexadecimal() {
    #expect(Fingerprint("a").name == "af63dc4c8601ec8c")
    #expect(Fingerprint("a").digits == "af63dc4c8601ec8c")
  }
}

@Suite struct NameRegistryTests {
  @Test func aFreeNameIsGivenAsItIs() {
    var names = NameRegistry()
    let name1 = names.claim("Person")
    #expect(name1 == "Person")
    #expect(names.contains("Person"))
    #expect(!names.contains("Dog"))
  }

  @Test func aTakenNameGetsANumber() {
    var names = NameRegistry(taken: ["Person"])
    let name1 = names.claim("Person")
    #expect(name1 == "Person_2")
    let name2 = names.claim("Person")
    #expect(name2 == "Person_3")
  }

  @Test func namesDifferInMoreThanCase() {
    var names = NameRegistry()
    let name1 = names.claim("name")
    #expect(name1 == "name")
    let name2 = names.claim("NAME")
    #expect(name2 == "NAME_2")
    #expect(names.contains("Name_2"))
  }

  @Test func aNameWithTheNumberOfAnotherIsTakenToo() {
    var names = NameRegistry(taken: ["a", "a_2"])
    let name1 = names.claim("a")
    #expect(name1 == "a_3")
  }

  @Test func reservedNamesGetALine() {
    var names = NameRegistry(reservedPrefix: "sqlite_")
    let name1 = names.claim("SQLite_master")
    #expect(name1 == "_SQLite_master")
    let name2 = names.claim("sqlit")
    #expect(name2 == "sqlit")
  }

  @Test func longNamesAreCutAndKeptApart() {
    var names = NameRegistry(mostBytes: 20)
    let first = names.claim(String(repeating: "a", count: 30) + "1")
    let second = names.claim(String(repeating: "a", count: 30) + "2")
    #expect(first.utf8.count == 20)
    #expect(second.utf8.count == 20)
    #expect(first != second)
    #expect(first.hasPrefix("aaaaaaaaaaa_"))
  }

  @Test func aNameOfTheGreatestLengthIsNotCut() {
    var names = NameRegistry(mostBytes: 20)
    let name1 = names.claim(String(repeating: "b", count: 20))
    #expect(name1 == String(repeating: "b", count: 20))
  }

  /// A letter of several bytes is kept whole.
  @Test func longNamesAreCutBetweenLetters() {
    var names = NameRegistry(mostBytes: 20)
    let name = names.claim(String(repeating: "é", count: 30))
    #expect(name.utf8.count <= 20)
    #expect(name.hasPrefix("ééééé_"))
  }

  @Test func aNumberedLongNameIsShortEnough() {
    var names = NameRegistry(mostBytes: 20)
    let long = String(repeating: "c", count: 40)
    let both = [names.claim(long), names.claim(long)]
    #expect(Set(both).count == 2)
    #expect(both.allSatisfy { $0.utf8.count == 20 })
  }
}
