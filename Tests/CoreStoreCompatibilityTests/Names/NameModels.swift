import CoreStoreCompatibility

/// The classes for the tests of names: three owners, two hounds.
class Owner: CoreStoreObject {
  @Field.Stored("name") var name: String = ""
  @Field.Stored("age") var age: Int = 0
  @Field.Stored("nickname") var nickname: String?
  @Field.Relationship("hounds", inverse: \Hound.$owner) var hounds: Set<Hound>
}

class Hound: CoreStoreObject {
  @Field.Stored("name") var name: String = ""
  @Field.Stored("age") var age: Int = 0
  @Field.Relationship("owner") var owner: Owner?
}

/// A stack in memory: Ann (20) with Rex (2), Bob (30, “Bo”) with Tim (5), Cyd (40).
@MainActor
func namedStack() throws -> DataStack {
  let dataStack = DataStack(
    CoreStoreSchema(modelVersion: "V1", entities: [Entity<Owner>("Owner"), Entity<Hound>("Hound")]))
  try dataStack.addStorageAndWait(InMemoryStore())
  try dataStack.perform(synchronous: { transaction in
    for (name, age, hound) in [("Ann", 20, "Rex"), ("Bob", 30, "Tim"), ("Cyd", 40, "")] {
      let owner = try transaction.create(Into<Owner>())
      (owner.name, owner.age, owner.nickname) = (name, age, name == "Bob" ? "Bo" : nil)
      guard !hound.isEmpty else { continue }
      let own = try transaction.create(Into<Hound>())
      (own.name, own.age, own.owner) = (hound, hound == "Rex" ? 2 : 5, owner)
    }
  })
  return dataStack
}
