import CoreStoreCompatibility
import Foundation
import Testing

private struct Info: Codable, Sendable, Equatable { var number = 0 }

/// A coder of a program: a number in bytes of its own.
private enum NumberCoder: FieldCoderType {
  static func encodeToStoredData(_ fieldValue: Info?) -> Data? {
    fieldValue.map { Data("\($0.number)".utf8) }
  }
  static func decodeFromStoredData(_ data: Data?) -> Info? {
    data.flatMap { Int(String(decoding: $0, as: UTF8.self)) }.map { Info(number: $0) }
  }
}

private class Creature: CoreStoreObject {
  @Field.Stored(
    "species", customGetter: { (object, field) in field.primitiveValue?.capitalized ?? "" },
    customSetter: { (object, field, newValue) in field.primitiveValue = newValue.lowercased() },
    affectedByKeyPaths: ["age"])
  var species: String = "none"
  @Field.Stored("age") var age: Int = 0
  @Field.Stored("nickname", customGetter: { (object, field) in field.primitiveValue ?? "nameless" })
  var nickname: String?
  @Field.Stored(
    "code", customSetter: { (object, field, newValue) in field.primitiveValue = newValue * 2 },
    dynamicInitialValue: { 7 })
  var code: Int

  @Field.Virtual("plural", customGetter: { (object, field) in object.$species.value + "s" })
  var plural: String
  @Field.Virtual(
    "length",
    customGetter: { (object, field) in
      if let known = field.primitiveValue { return known }
      let length = object.$plural.value.count
      field.primitiveValue = length
      return length
    }, affectedByKeyPaths: ["species"])
  var length: Int
  @Field.Virtual("kept") var kept: Int = 3
  @Field.Virtual("maybe") var maybe: Int?

  @Field.Coded("json", coder: FieldCoders.Json.self) var json: Info?
  @Field.Coded("initial", coder: FieldCoders.Plist.self, dynamicInitialValue: { Info(number: 3) })
  var initial: Info
  @Field.Coded("own", versionHashModifier: "2", coder: NumberCoder.self) var own: Info?
  @Field.Coded("always", coder: NumberCoder.self, customGetter: { $1.primitiveValue ?? Info() })
  var always: Info = Info(number: 5)
  @Field.Coded(
    "optionalData",
    coder: (
      encode: { info in info.number == 0 ? nil : try? JSONEncoder().encode(info) },
      decode: { data in
        data.flatMap { try? JSONDecoder().decode(Info.self, from: $0) } ?? Info(number: -1)
      }
    ))
  var optionalData: Info = Info()
  @Field.Coded(
    "bothOptional",
    coder: (
      encode: { info in info.flatMap { try? JSONEncoder().encode($0) } },
      decode: { data in data.flatMap { try? JSONDecoder().decode(Info.self, from: $0) } }
    ))
  var bothOptional: Info?
  @Field.Relationship("mate", affectedByKeyPaths: ["age"]) var mate: Creature?
}

private final class Bird: Creature {
  @Field.Stored(
    "wings", customGetter: { (object, field) in (field.primitiveValue ?? 0) + object.$age.value })
  var wings: Int = 2
}

/// Each name of CoreStore's properties, by the file that declares it there.
@MainActor
@Suite struct FieldNamesTests {
  private let dataStack = DataStack(
    CoreStoreSchema(
      modelVersion: "V1", entities: [Entity<Creature>("Creature"), Entity<Bird>("Bird")]))

  init() throws { try dataStack.addStorageAndWait(InMemoryStore()) }

  private func creature(
    _ change: @Sendable (Creature) throws -> Void = { _ in }
  ) throws -> Creature {
    try dataStack.perform(synchronous: { transaction in
      try change(transaction.create(Into<Creature>()))
    })
    return try #require(try dataStack.fetchOne(From<Creature>()))
  }

  /// Field.Stored.swift
  @Test func stored() throws {
    let creature = try creature {
      #expect($0.code == 7 && $0.species == "None")
      ($0.species, $0.code) = ("DOG", 4)
    }
    #expect(creature.species == "Dog" && creature.code == 8 && creature.nickname == "nameless")
    #expect(creature.$species.value == "dog" && creature.asSnapshotOfStored == "dog")
    #expect(try dataStack.fetchCount(From<Creature>().where(\.$species == "dog")) == 1)
  }

  /// A class that inherits numbers its properties after those of its parent.
  @Test func inherited() throws {
    try dataStack.perform(synchronous: { transaction in
      let bird = try transaction.create(Into<Bird>())
      (bird.species, bird.age) = ("JAY", 3)
      #expect(bird.wings == 5 && bird.species == "Jay" && bird.plural == "Jays")
    })
  }

  /// Field.Virtual.swift
  @Test func virtual() throws {
    let creature = try creature { $0.species = "dog" }
    #expect(creature.plural == "Dogs" && creature.length == 4)
    #expect(creature.kept == 3 && creature.maybe == nil)
    (creature.kept, creature.maybe) = (4, 5)
    #expect(creature.kept == 4 && creature.maybe == 5 && creature.$plural.value == "Dogs")
  }

  /// Field.Coded.swift, FieldCoderType.swift, FieldCoders.Json.swift, FieldCoders.Plist.swift
  @Test func coded() throws {
    let creature = try creature {
      #expect($0.optionalData == Info(number: -1) && $0.bothOptional == nil && $0.own == nil)
      ($0.json, $0.own, $0.bothOptional) = (Info(number: 1), Info(number: 2), Info(number: 4))
      $0.optionalData = Info(number: 6)
    }
    #expect(creature.json == Info(number: 1) && creature.own == Info(number: 2))
    #expect(creature.initial == Info(number: 3) && creature.always == Info(number: 5))
    #expect(creature.bothOptional == Info(number: 4) && creature.optionalData == Info(number: 6))
    let data = try #require(FieldCoders.Json<Info>.encodeToStoredData(Info(number: 1)))
    #expect(FieldCoders.Json<Info>.decodeFromStoredData(data) == Info(number: 1))
    #expect(FieldCoders.Plist<Info>.decodeFromStoredData(data) == nil)
    #expect(NumberCoder.coder.name == "NumberCoder")
  }

  /// PartialObject.swift, ObjectProxy.swift, CoreStoreObject.swift
  @Test func partialObjects() throws {
    _ = try creature { creature in
      let partial = creature.partialObject()
      #expect(partial.completeObject() === creature)
      partial.setValue("CAT", for: { $0.$species })
      #expect(partial.value(for: { $0.$species }) == "Cat")
      #expect(partial.primitiveValue(for: { $0.$species }) == "cat")
      partial.setPrimitiveValue("COW", for: { $0.$species })
      #expect(creature.species == "Cow" && creature.$species.value == "COW")
      #expect(partial.value(for: { $0.$plural }) == "Cows")
      #expect(partial.primitiveValue(for: { $0.$initial }) == Info(number: 3))
      let _: ObjectProxy<Creature>.FieldProxy<Int>? = nil
    }
  }

  /// CoreStoreObject+Convenience.swift, NSManagedObject+Convenience.swift
  @Test func refreshing() throws {
    let creature = try creature { $0.age = 1 }
    try dataStack.perform(synchronous: { transaction in
      let own = try #require(try transaction.edit(creature))
      own.age = 5
      own.refreshAndMerge()
      #expect(own.age == 5)
      own.refreshAsFault()
      #expect(own.age == 1 && !transaction.hasChanges)
    })
  }

  /// FieldOptionalType.swift, FIeldRelationshipType.swift, FieldStorableType.swift,
  /// KeyPathStringConvertible.swift, QueryableAttributeType.swift, ImportableAttributeType.swift,
  /// DynamicObject.swift, CoreStoreStrings.swift
  @Test func types() {
    func name<O: DynamicObject, K: KeyPathStringConvertible>(_ keyPath: KeyPath<O, K>)
      -> KeyPathString
    {
      String(keyPath: keyPath)
    }
    func attribute<K: AttributeKeyPathStringConvertible>(_: K.Type) {}
    func toOne<K: RelationshipKeyPathStringConvertible>(_: K.Type) {}
    func value<V: QueryableAttributeType & ImportableAttributeType & FieldStorableType>(_: V.Type) {
    }
    func optional<V: FieldOptionalType>(_: V.Type) -> V.Wrapped.Type { V.Wrapped.self }
    func related<V: FieldRelationshipToOneType>(_: V.Type) {}
    func selected<V: SelectResultType>(_: V.Type) {}
    attribute(Attribute.NotOptional<Int>.Property.self)
    toOne(Relationship.ToOne<Creature>.Property.self)
    value(Int.self)
    related(Creature?.self)
    selected(NSDictionary.self)
    #expect(name(\Creature.$age) == "age" && optional(Int?.self) == Int.self)
    let names: (EntityName, ClassName, ModelVersion, ModelConfiguration) = ("", "", "", nil)
    #expect(names.3 == nil)
    let _: Creature.ObjectID? = nil
  }
}

extension Creature {
  fileprivate var asSnapshotOfStored: String? { ObjectSnapshot(of: self)?.$species }
}
