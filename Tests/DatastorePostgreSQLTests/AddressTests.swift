#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import Testing

struct AddressTests {
  @Test func whatIsNotUnderstoodIsToldWithoutThePassword() {
    for text in [
      "postgresql://ada:geheim%zz@host/db", "host=localhost password=very geheim",
      "postgresql://ada:geheim@host/db?nonsense=geheim",
    ] {
      let error = #expect(throws: StoreError.self) { try PostgreSQLAddress(text) }
      let sentence = error?.description ?? ""
      #expect(sentence.hasPrefix("The address is not understood: "), "\(sentence)")
      #expect(!sentence.contains("geheim"), "\(sentence)")
    }
  }
}
#endif
