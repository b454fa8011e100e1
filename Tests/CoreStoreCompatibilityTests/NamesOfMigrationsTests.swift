import CoreStoreCompatibility
import DatastoreTestSupport
import Foundation
import Testing

private enum Old {
  final class Account: CoreStoreObject {
    @Field.Stored("name") var name: String = ""
    @Field.Stored("isVeryOldAccount") var isVeryOldAccount: Bool = false
    @Field.Stored("points") var points: Int?
    @Field.Stored("opened") var opened: Date = Date(timeIntervalSince1970: 0)
  }

  static let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Account>("Account")])
}

private enum New {
  final class Account: CoreStoreObject {
    @Field.Stored("title", previousVersionKeyPath: "name") var title: String = ""
    @Field.Stored("isVeryOldAccount") var isVeryOldAccount: Bool = false
    @Field.Stored("points") var points: Double?
    @Field.Stored("opened") var opened: Date = Date(timeIntervalSince1970: 0)
  }

  static let schema = CoreStoreSchema(modelVersion: "V2", entities: [Entity<Account>("Account")])
}

/// CoreStore's public names, a line for each, by the file that declares them there: migrations.
@MainActor
@Suite struct NamesOfMigrationsTests {
  private let folder: TemporaryDirectory
  private var url: URL { folder.file("accounts.sqlite") }

  init() throws {
    folder = try TemporaryDirectory()
    let dataStack = DataStack(Old.schema)
    try dataStack.addStorageAndWait(SQLiteStore(fileURL: url))
    try dataStack.perform(synchronous: { transaction in
      for number in 0..<3 {
        let account = try transaction.create(Into<Old.Account>())
        (account.name, account.points) = ("A\(number)", number == 1 ? nil : number)
        account.isVeryOldAccount = number == 2
        account.opened = Date(timeIntervalSince1970: Double(number))
      }
    })
    try dataStack.datastore.close()
  }

  private func makeStack() -> DataStack {
    DataStack(Old.schema, New.schema, migrationChain: ["V1", "V2"])
  }

  private func store(_ mappings: CustomMapping...) -> SQLiteStore {
    SQLiteStore(
      fileURL: url,
      migrationMappingProviders: [
        CustomSchemaMappingProvider(from: "V1", to: "V2", entityMappings: mappings)
      ])
  }

  // Promise: a program asks a mapping for a value by its Swift type → it gets it, numbers as any type that
  // holds them; nil where it is missing.
  @Test(
    "CustomSchemaMappingProvider.swift: values are those of Swift, and properties come with their descriptions"
  )
  func transformed() async throws {
    let dataStack = makeStack()
    let mapping: CustomSchemaMappingProvider.CustomMapping = .transformEntity(
      sourceEntity: "Account", destinationEntity: "Account",
      transformer: {
        (
          sourceObject: CustomSchemaMappingProvider.UnsafeSourceObject,
          createDestinationObject: () throws -> CustomSchemaMappingProvider.UnsafeDestinationObject
        ) in
        if (sourceObject["isVeryOldAccount"] as! Bool?) == true { return }
        let destinationObject = try createDestinationObject()
        destinationObject.enumerateAttributes { (attribute, sourceAttribute) in
          if let sourceAttribute = sourceAttribute {
            destinationObject[attribute] = sourceObject[sourceAttribute]
          }
        }
        var names: [String] = []
        sourceObject.enumerateAttributes { names.append($0.name) }
        #expect(names == ["name", "isVeryOldAccount", "points", "opened"])
        #expect(destinationObject["title"] as? String == sourceObject["name"] as? String)
        destinationObject["title"] = "\(sourceObject["name"] as! String)!"
        if sourceObject["points"] == nil { destinationObject["points"] = 7 }
        #expect(sourceObject["opened"] is Date)
      })
    _ = try await dataStack.async.addStorage(store(mapping))
    let accounts = try dataStack.fetchAll(From<New.Account>().orderBy(.ascending(\.$title)))
    #expect(accounts.map(\.title) == ["A0!", "A1!"] && accounts.map(\.points) == [0, 7])
    #expect(accounts[1].opened == Date(timeIntervalSince1970: 1))
  }

  @Test("CustomSchemaMappingProvider.swift: what is inferred, copied, inserted and deleted")
  func mappings() async throws {
    let mappings: [CustomMapping] = [
      .transformEntity(
        sourceEntity: "Account", destinationEntity: "Account",
        transformer: CustomMapping.inferredTransformation)
    ]
    _ = [
      CustomMapping.deleteEntity(sourceEntity: "A"),
      .insertEntity(destinationEntity: "A"),
      .copyEntity(sourceEntity: "A", destinationEntity: "B"),
    ]
    let dataStack = makeStack()
    _ = try await dataStack.async.addStorage(store(mappings[0]))
    let accounts = try dataStack.fetchAll(From<New.Account>().orderBy(.ascending(\.$title)))
    #expect(accounts.map(\.title) == ["A0", "A1", "A2"] && accounts.map(\.points) == [0, nil, 2])
    #expect(accounts.map(\.isVeryOldAccount) == [false, false, true])
  }

  @Test("MigrationType.swift, MigrationResult.swift: a file is migrated without being added")
  func upgraded() async throws {
    #expect(!MigrationType.none(version: "V1").hasMigration)
    #expect(MigrationType.none(version: "V1").destinationVersion == "V1")
    let dataStack = makeStack()
    var progress: Progress?
    let result: MigrationResult = await withCheckedContinuation { continuation in
      do {
        progress = try dataStack.upgradeStorageIfNeeded(
          store(), completion: { continuation.resume(returning: $0) })
      } catch {
        continuation.resume(returning: .failure(CoreStoreError(error)))
      }
    }
    #expect(
      try result.get() == [.lightweight(sourceVersion: "V1", destinationVersion: "V2")])
    #expect(try result.get().allSatisfy(\.hasMigration) && progress?.fractionCompleted == 1)
    #expect(throws: CoreStoreError.self) { try dataStack.datastore }
    #expect(try SQLiteCommand.run("SELECT count(title) FROM Account", on: url) == "3")
    #expect(
      try dataStack.upgradeStorageIfNeeded(store(), completion: { _ in }) == nil)
  }

  @Test("MigrationProgress.swift, MigrationChain.swift: how far it is, as a sequence")
  func progress() async throws {
    var fractions: [Double] = []
    var last: MigrationProgress<SQLiteStore>?
    for try await progress in makeStack().async.addStorage(store()) {
      fractions.append(progress.fractionCompleted)
      last = progress
    }
    #expect(last?.isCompleted == true && fractions.last == 1)
    guard case .finished(_, migrationRequired: true) = last else {
      Issue.record("\(String(describing: last))")
      return
    }
    #expect(MigrationChain() == nil && MigrationChain(["V1", "V2"]) == ["V1": "V2"])
  }
}
