import Testing

@testable import DatastoreCore

/// The cost of each kind of change, and the part of a file that it affects.
@Suite struct SchemaChangeKindTests {
  @Test func rulesAreMetadata() {
    #expect(SchemaChange.rulesChanged(entity: "A", property: "p").kind == .metadata)
    #expect(
      SchemaChange.inverseChanged(entity: "A", property: "p", from: nil, to: "q").kind == .metadata)
  }

  @Test func newTablesAndColumnsAreInstant() {
    #expect(SchemaChange.entityAdded("A").kind == .instant)
    #expect(SchemaChange.attributeAdded(entity: "A", property: "p", .none).kind == .instant)
    #expect(SchemaChange.propertyRenamed(entity: "A", from: "p", to: "q").kind == .instant)
    #expect(SchemaChange.indexChanged(entity: "A", property: "p", isIndexed: true).kind == .instant)
  }

  @Test func newValuesAreWritten() {
    #expect(
      SchemaChange.attributeAdded(entity: "A", property: "p", .defaultValue).kind == .lossless)
    #expect(SchemaChange.attributeAdded(entity: "A", property: "p", .initial).kind == .lossless)
  }

  @Test func demandsAreChecked() {
    #expect(SchemaChange.attributeAdded(entity: "A", property: "p", .missing).kind == .checked)
    #expect(
      SchemaChange.becameRequired(entity: "A", property: "p", hasDefault: true).kind == .checked)
    #expect(SchemaChange.becameUnique(entity: "A", properties: ["p"]).kind == .checked)
    #expect(SchemaChange.ruleAdded(entity: "A", property: "p", .email, .string).kind == .checked)
  }

  @Test func fewerDemandsLoseNothing() {
    #expect(SchemaChange.becameOptional(entity: "A", property: "p").kind == .lossless)
    #expect(SchemaChange.noLongerUnique(entity: "A", properties: ["p"]).kind == .instant)
    #expect(SchemaChange.ruleRemoved(entity: "A", property: "p", .email, .string).kind == .lossless)
  }

  @Test func whatIsRemovedIsLost() {
    #expect(SchemaChange.entityRemoved("A").kind == .loss)
    #expect(SchemaChange.propertyRemoved(entity: "A", property: "p").kind == .loss)
  }

  @Test func aTypeCostsWhatItsConversionDoes() {
    func kind(_ from: AttributeType, _ to: AttributeType) -> MigrationKind {
      SchemaChange.typeChanged(entity: "A", property: "p", from: from, to: to).kind
    }
    #expect(kind(.string, .undefined) == .metadata)
    #expect(kind(.integer8, .integer64) == .lossless)
    #expect(kind(.integer64, .integer8) == .checked)
    #expect(kind(.data, .string) == .checked)
  }

  @Test func anAbstractEntityMayHaveNoObjects() {
    #expect(SchemaChange.abstractnessChanged(entity: "A", isAbstract: true).kind == .checked)
    #expect(SchemaChange.abstractnessChanged(entity: "A", isAbstract: false).kind == .lossless)
  }

  @Test func kindsAreOrderedByTheirCost() {
    #expect(
      [MigrationKind.loss, .none, .checked, .metadata, .lossless, .instant].sorted() == [
        .none, .metadata, .instant, .lossless, .checked, .loss,
      ])
  }

  @Test func aChangeIsAboutAnEntityAndAProperty() {
    let change = SchemaChange.propertyRenamed(entity: "A", from: "p", to: "q")
    #expect(change.entity == "A")
    #expect(change.property == "q")
    #expect(SchemaChange.entityRenamed(from: "A", to: "B").entity == "B")
    #expect(SchemaChange.entityRenamed(from: "A", to: "B").property == nil)
    #expect(SchemaChange.becameUnique(entity: "A", properties: ["p", "q"]).property == "p, q")
  }

  @Test func progressGoesFromStepToStep() {
    func done(
      _ phase: MigrationProgress.Phase, step: Int = 1, of count: Int = 1, _ rows: Int = 0,
      _ total: Int = 0
    ) -> Double {
      MigrationProgress(
        phase: phase, step: step, stepCount: count, entity: nil, rowsDone: rows, rowsTotal: total
      ).fractionCompleted
    }
    #expect(done(.checking) == 0)
    #expect(done(.copying, 50, 100) == 0.45)
    #expect(done(.copying) == 0.9)
    #expect(done(.finishing) == 0.95)
    #expect(done(.checking, step: 3, of: 4) == 0.5)
  }

  @Test func aForecastCountsTheRowsOfItsEntities() {
    func entity(_ rows: Int) -> MigrationForecast.EntityForecast {
      .init(entity: "A", kind: .lossless, changes: [], rows: 10, rowsToWrite: rows)
    }
    let forecast = MigrationForecast(
      kind: .lossless, entities: [entity(3), entity(4)], losses: [], obstacles: [])
    #expect(forecast.rowsToWrite == 7)
    #expect(forecast.hasMigration)
    #expect(!MigrationForecast.nothing.hasMigration)
  }

  @Test func aLossIsNamedAsItIsDeclared() {
    let loss = MigrationLoss(entity: "A", property: "p", count: 3, reason: .propertyRemoved)
    #expect(loss.name == "A.p")
    #expect(MigrationLoss(entity: "A", property: nil, count: 3, reason: .entityRemoved).name == "A")
    #expect(DeclaredLosses(["A.p"]).contains(loss))
    #expect(!(["A"] as DeclaredLosses).contains(loss))
    #expect(DeclaredLosses.all.contains(loss))
  }

  @Test func aLossIsSaid() {
    #expect(
      MigrationLoss(entity: "A", property: "p", count: 1, reason: .propertyRemoved).description
        == "1 value of A.p would be lost, since the model does not have it")
    #expect(
      MigrationLoss(
        entity: "A", property: "p", count: 2, reason: .typeChanged(to: .integer8, examples: ["300"])
      ).description
        == "2 values of A.p would be lost, since they do not fit integer8 (such as “300”)")
    var asked = MigrationLoss(entity: "A", property: nil, count: 1, reason: .entityRemoved)
    asked.isAsked = true
    #expect(asked.description == "1 A will be removed as asked, since the model has no A")
  }

  @Test func oneObstacleIsOneSentence() {
    let error = MigrationError(
      path: "a.db",
      obstacles: [.missingValues(entity: "A", property: "p", count: 1, of: 3)])
    #expect(
      error.description
        == "a.db was made from another version of the model and was not migrated: 1 of 3 As has no p; "
        + "give it a default value or an `initial:` closure, or leave it optional. Nothing was changed."
    )
  }

  @Test func severalObstaclesAreAList() {
    let error = MigrationError(
      path: "a.db",
      obstacles: [
        .inTheWay(kind: "view", name: "v", detail: "it reads p"),
        .severalSteps(["1", "2", "3"]),
      ])
    #expect(
      error.description.contains(
        ". Nothing was changed.\n  - the view “v” is in the way: it reads p\n  - "))
    #expect(error.description.contains("(“1”, “2”, “3”)"))
  }

  @Test func aLossSaysHowItIsDeclared() {
    let loss = MigrationLoss(entity: "A", property: "p", count: 1, reason: .propertyRemoved)
    #expect(MigrationObstacle.loss(loss).description.contains("`removes: [\"A.p\"]`"))
  }
}
