import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

@Suite("Where stores are kept")
struct StoreLocationTests {
  private func open(_ name: String, _ type: SwiftDatastore.StoringType = .test) throws
    -> SwiftDatastore
  {
    try SwiftDatastore(dataModel: TestModel.make(), storeName: name, storingType: type)
  }

  @Test("Stores for tests have a file each, also with one name, and take only their own with them")
  func filesOfTheirOwn() async throws {
    var stores: [SwiftDatastore] = []
    for round in 0..<30 {
      let store = try open("same")
      try await store.write { context in
        let tag: Tag = try context.createObject()
        tag.label = "tag \(round)"
      }
      #expect(try await count(store) == 1)
      stores.append(store)
      // The end of one is in the middle of the life of another.
      if round % 2 == 1 {
        let url = try #require(stores.removeFirst().url)
        #expect(!FileManager.default.fileExists(atPath: url.deletingLastPathComponent().path))
        for store in stores {
          #expect(FileManager.default.fileExists(atPath: try #require(store.url).path))
          #expect(try await count(store) == 1)
        }
      }
    }
    #expect(Set(stores.compactMap(\.url)).count == stores.count)
  }

  private func count(_ store: SwiftDatastore) async throws -> Int {
    try await store.newContext().perform { try ($0.fetch() as [Tag]).count }
  }

  @Test(
    "A name that would lead elsewhere, or to no file that is seen, is refused",
    arguments: ["", ".", "..", "../../evil", "a/b", "/tmp/evil", ".hidden", "nul\0byte"])
  func names(name: String) throws {
    for type in [SwiftDatastore.StoringType.test, .app] {
      let error = try #require(throws: StoreError.self) { _ = try open(name, type) }
      #expect(error == .unusableName(name))
    }
    #expect(throws: StoreError.self) { _ = try open(String(repeating: "é", count: 130)) }
    _ = try open("a name with spaces, dots. and ünïcode")
  }

  @Test("An address that is not a file's is refused")
  func addresses() throws {
    let url = try #require(URL(string: "http://example.org/a.sqlite"))
    let refusal = StoreError.notAFile(address: "http://example.org/a.sqlite")
    #expect(throws: refusal) { _ = try SwiftDatastore(opening: url) }
    #expect(throws: refusal) { _ = try SwiftDatastore(dataModel: TestModel.make(), url: url) }
  }
}
