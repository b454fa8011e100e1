import DatastoreCore
import DatastoreExport
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// Versions of a model made of classes, in files and as written text.
@Suite("Versions of classes")
struct VersionTests {
  enum V1 {
    final class Person: DatastoreObject {
      @Attribute.NotOptional var name: String
    }
  }

  enum V2 {
    final class Person: DatastoreObject {
      @Attribute.NotOptional(renamedFrom: "name") var fullName: String
      @Attribute.Optional var phone: String?
    }
  }

  @Test("Classes of all versions lie beside each other, and a file says which one it is of")
  func classes() throws {
    let one = try SwiftDatastoreModel(version: "V1", from: V1.Person.self)
    let two = try SwiftDatastoreModel(version: "V2", from: [V2.Person.self])
    let history = try SchemaHistory(one, two, migrationChain: ["V1", "V2"])
    #expect(history.current.modelVersion == "V2")
    let directory = try TemporaryDirectory()
    let url = directory.file("people.sqlite")
    let datastore = try SwiftDatastore(dataModel: one, url: url)
    #expect(datastore.modelVersion == "V1")
    try datastore.close()
    let found = try SwiftDatastore(opening: url)
    #expect(found.modelVersion == "V1")
    #expect(history.version(of: found.schema)?.modelVersion == "V1")
    try found.close()
    // The name alone makes no other version.
    let renamed = try SwiftDatastoreModel(version: "First", from: V1.Person.self)
    try SwiftDatastore(dataModel: renamed, url: url).close()
    #expect(try SwiftDatastore(opening: url).modelVersion == "First")
    let unnamed = try SwiftDatastoreModel(from: V1.Person.self)
    try SwiftDatastore(dataModel: unnamed, url: url, readOnly: true).close()
    #expect(try SwiftDatastore(opening: url).modelVersion == "First")
    try SwiftDatastore(dataModel: unnamed, url: url).close()
    #expect(try SwiftDatastore(opening: url).modelVersion == nil)
  }

  // Promise: a version that was shipped is changed by mistake → one fault for each property.
  @Test("A version that is locked stays what it was, or says what has changed")
  func locks() throws {
    let lock: VersionLock = ["Person": ["attribute name string required"]]
    let model = try SwiftDatastoreModel(version: "V1", from: V1.Person.self, lock: lock)
    #expect(model.versionLock == lock)
    let error = try #require(throws: SchemaError.self) {
      try SwiftDatastoreModel(version: "V1", from: V2.Person.self, lock: lock)
    }
    #expect(
      error.faults.map(\.description) == [
        "The version “V1” differs from its lock: Person.name is gone: “attribute name string "
          + "required”. Make it a new version, or change it back.",
        "The version “V1” differs from its lock: Person.fullName is new: “attribute fullName string "
          + "required”. Make it a new version, or change it back.",
        "The version “V1” differs from its lock: Person.phone is new: “attribute phone string "
          + "optional”. Make it a new version, or change it back.",
      ])
    #expect(throws: SchemaError.self) { try SwiftDatastoreModel(version: "", from: V1.Person.self) }
  }

  @Test("What `datastore schema` writes of a file is its version again", arguments: [false, true])
  func frozen(isNamed: Bool) throws {
    let directory = try TemporaryDirectory()
    let url = directory.file("kept.sqlite")
    let model = try KeptModel.make(version: isNamed ? "V7" : nil)
    try SwiftDatastore(dataModel: model, url: url).close()
    let store = try SwiftDatastore.store(opening: url, readOnly: true)
    let outline = try SchemaOutline(store)
    let json = SchemaFormat.json.text(of: outline)
    let lock = SchemaFormat.lock.text(of: outline)
    try store.close()
    let frozen = try FrozenSchema(json: Data(json.utf8))
    #expect(frozen.modelVersion == (isNamed ? "V7" : nil))
    #expect(
      EntityHash.all(frozen.schema.entities.map(\.description))
        == EntityHash.all(model.schema.entities.map(\.description)))
    #expect(VersionLock(frozen.schema) == model.versionLock)
    #expect(lock == model.versionLock.description + "\n")
    #expect(try FrozenSchema(json: Data(json.utf8), modelVersion: "V8").modelVersion == "V8")
    #expect(try SchemaHistory(frozen).version(of: model.schema) != nil)
    // Former and stored names, indexes and cases are kept as well.
    #expect(
      frozen.schema.entities.map(\.description.renamedFrom)
        == model.schema.entities.map(\.description.renamedFrom))
  }
}
