// swift-tools-version: 6.1

import PackageDescription

// A plain executable instead of a benchmark harness: every figure here is a ratio between three
// contenders that must run by turns in one process, on one file, with the setting up of each run off
// the clock. A harness measures each of its benchmarks on its own, one after the other, so that
// ratios would compare different minutes of a machine.
let package = Package(
  name: "Benchmarks",
  dependencies: [
    .package(name: "SwiftDatastore", path: ".."),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .target(name: "CMalloc"),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "CMalloc",
        .product(name: "SwiftDatastore", package: "SwiftDatastore"),
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
