// swift-tools-version: 6.1

import PackageDescription

// A plain executable instead of a benchmark harness: every figure here is a ratio between three
// contenders that must run by turns in one process, on one file, with the setting up of each run off
// the clock. A harness measures each of its benchmarks on its own, one after the other, so that
// ratios would compare different minutes of a machine.
let package = Package(
  name: "Benchmarks",
  traits: [
    .trait(
      name: "PostgreSQL",
      description:
        "Measures the engine for PostgreSQL, too. Needs libpq with its headers (libpq-dev).")
  ],
  dependencies: [
    .package(
      name: "SwiftDatastore", path: "..",
      traits: [.trait(name: "PostgreSQL", condition: .when(traits: ["PostgreSQL"]))]),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .systemLibrary(name: "CLibpq", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .target(name: "CMalloc"),
    .target(name: "CServerWaits"),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "CMalloc",
        .target(name: "CLibpq", condition: .when(traits: ["PostgreSQL"])),
        .target(name: "CServerWaits", condition: .when(traits: ["PostgreSQL"])),
        .product(name: "SwiftDatastore", package: "SwiftDatastore"),
        .product(
          name: "SwiftDatastorePostgreSQL", package: "SwiftDatastore",
          condition: .when(traits: ["PostgreSQL"])),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)
