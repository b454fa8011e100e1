// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "SwiftDatastore",
  products: [
    .library(name: "SwiftDatastore", targets: ["SwiftDatastore"]),
    .library(name: "SwiftDatastoreCombine", targets: ["SwiftDatastoreCombine"]),
    .library(name: "SwiftDatastoreTerminal", targets: ["SwiftDatastoreTerminal"]),
    .library(name: "SwiftDatastorePostgreSQL", targets: ["SwiftDatastorePostgreSQL"]),
    .library(name: "SwiftDatastoreFar", targets: ["SwiftDatastoreFar"]),
    .library(name: "CoreStoreCompatibility", targets: ["CoreStoreCompatibility"]),
    .library(name: "CoreStoreCombine", targets: ["CoreStoreCombine"]),
    .library(name: "CoreValueCompatibility", targets: ["CoreValueCompatibility"]),
    .executable(name: "datastore", targets: ["datastore"]),
  ],
  traits: [
    .trait(
      name: "PostgreSQL",
      description: "Stores in a PostgreSQL server. Needs libpq with its headers (libpq-dev).")
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
  ],
  targets: [
    .systemLibrary(name: "CNCurses"),
    .target(name: "CPostgreSQL"),
    .systemLibrary(name: "CZlib"),
    .target(name: "CSlots"),
    .target(name: "CSQLiteShims"),
    .target(name: "Basics"),
    .target(name: "Gates", dependencies: [.product(name: "Yams", package: "Yams")]),
    .target(name: "DatastoreCore", dependencies: ["Basics"]),
    .target(
      name: "SQLiteFiles",
      dependencies: [
        "Basics", "DatastoreCore", .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ]
    ),
    .target(name: "DatastoreSQL", dependencies: ["Basics", "DatastoreCore"]),
    .target(
      name: "DatastoreSQLite",
      dependencies: [
        "Basics", "CSQLiteShims", "CZlib", "DatastoreCore", "DatastoreSQL", "SQLiteFiles",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ]
    ),
    .target(
      name: "DatastorePostgreSQL",
      dependencies: [
        "Basics", "DatastoreCore", "DatastoreSQL",
        .target(name: "CPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
      ]
    ),
    .target(
      name: "SwiftDatastore",
      dependencies: ["Basics", "CSlots", "DatastoreCore", "DatastoreSQLite"]
    ),
    .target(
      name: "SwiftDatastorePostgreSQL",
      dependencies: ["DatastoreCore", "DatastorePostgreSQL", "DatastoreSQL", "SwiftDatastore"]
    ),
    .target(name: "DatastoreFar", dependencies: ["Basics", "CZlib", "DatastoreCore"]),
    .target(
      name: "SwiftDatastoreFar", dependencies: ["DatastoreCore", "DatastoreFar", "SwiftDatastore"]),
    .target(
      name: "SwiftDatastoreCombine",
      dependencies: [
        "SwiftDatastore",
        .product(name: "OpenCombine", package: "OpenCombine"),
      ]
    ),
    .target(
      name: "CoreStoreCompatibility", dependencies: ["Basics", "DatastoreCore", "SwiftDatastore"]),
    .target(
      name: "CoreStoreCombine",
      dependencies: [
        "CoreStoreCompatibility", "SwiftDatastore", "SwiftDatastoreCombine",
        .product(name: "OpenCombine", package: "OpenCombine"),
      ]
    ),
    .target(
      name: "CoreValueCompatibility", dependencies: ["Basics", "DatastoreCore", "SwiftDatastore"]),
    .target(
      name: "DatastoreImport",
      dependencies: [
        "Basics", "CZlib", "SwiftDatastore", "DatastoreCore", "Gates", "SQLiteFiles",
        .product(name: "Yams", package: "Yams"),
      ]
    ),
    .target(
      name: "DatastoreExport",
      dependencies: ["Basics", "DatastoreCore", "Gates", "SQLiteFiles", "TerminalUI"]
    ),
    .target(name: "SampleModel", dependencies: ["SwiftDatastore"]),
    .target(
      name: "TerminalUI",
      dependencies: ["Basics", "CNCurses", "Gates", .product(name: "Yams", package: "Yams")]
    ),
    .target(
      name: "SwiftDatastoreTerminal", dependencies: ["Basics", "SwiftDatastore", "TerminalUI"]),
    .target(
      name: "DatastoreBrowser",
      dependencies: [
        "Basics", "SwiftDatastore", "DatastoreCore", "DatastoreExport", "DatastoreImport",
        "Gates", "SQLiteFiles", "TerminalUI",
        .product(name: "Yams", package: "Yams"),
      ]
    ),
    .executableTarget(
      name: "datastore",
      dependencies: [
        "Basics", "DatastoreBrowser", "DatastoreCore", "DatastoreExport", "DatastoreFar",
        "DatastoreImport", "DatastoreSQL", "DatastoreSQLite", "Gates", "SampleModel", "SQLiteFiles",
        "SwiftDatastore", "SwiftDatastoreFar", "SwiftDatastorePostgreSQL", "TerminalUI",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      plugins: ["PackageVersions"]
    ),
    .plugin(name: "PackageVersions", capability: .buildTool()),
    .executableTarget(
      name: "FirstProgram", dependencies: ["SwiftDatastore"], path: "Tests/FirstProgram"),
    .executableTarget(
      name: "ContactBook", dependencies: ["SwiftDatastore", "SwiftDatastoreTerminal"],
      path: "Tests/ContactBook"),
    .executableTarget(
      name: "BrokenRules", dependencies: ["SwiftDatastore", "SwiftDatastoreTerminal"],
      path: "Tests/BrokenRules"),
    .executableTarget(
      name: "LedgerWriter", dependencies: ["SwiftDatastore"], path: "Tests/LedgerWriter"),
    .target(name: "CPausingVFS", path: "Tests/CPausingVFS"),
    .target(
      name: "DatastoreTestSupport",
      dependencies: [
        "Basics", "CZlib", "DatastoreCore", "DatastoreFar", "DatastoreSQLite", "SwiftDatastore",
        "TerminalUI", .product(name: "GRDB", package: "GRDB.swift"),
      ],
      path: "Tests/DatastoreTestSupport"
    ),
    .testTarget(
      name: "BasicsTests", dependencies: ["Basics", "DatastoreTestSupport"]
    ),
    .testTarget(
      name: "DatastoreCoreTests",
      dependencies: ["Basics", "DatastoreCore", "DatastoreTestSupport"]
    ),
    .testTarget(
      name: "DatastoreSQLTests",
      dependencies: [
        "DatastoreCore", "DatastoreSQL", "DatastoreSQLite", "DatastoreTestSupport",
        .target(name: "DatastorePostgreSQL", condition: .when(traits: ["PostgreSQL"])),
      ]
    ),
    .testTarget(
      name: "DatastoreSQLiteTests",
      dependencies: [
        "CPausingVFS", "DatastoreCore", "DatastoreSQL", "DatastoreSQLite", "DatastoreTestSupport",
        "SQLiteFiles",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]
    ),
    .testTarget(
      name: "DatastorePostgreSQLTests",
      dependencies: [
        "DatastoreCore", "DatastoreImport", "DatastorePostgreSQL", "DatastoreSQL",
        "DatastoreSQLite", "DatastoreTestSupport", "SampleModel", "SwiftDatastore",
        "SwiftDatastorePostgreSQL",
      ]
    ),
    .testTarget(
      name: "DatastoreFarTests",
      dependencies: [
        "DatastoreCore", "DatastoreFar", "DatastoreSQLite", "DatastoreTestSupport",
      ]
    ),
    .testTarget(
      name: "SwiftDatastoreTests",
      dependencies: [
        "SwiftDatastore", "SwiftDatastoreFar", "SampleModel", "DatastoreCore", "DatastoreExport",
        "DatastoreSQLite", "DatastoreTestSupport",
        .target(name: "DatastorePostgreSQL", condition: .when(traits: ["PostgreSQL"])),
        .target(name: "SwiftDatastorePostgreSQL", condition: .when(traits: ["PostgreSQL"])),
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      exclude: ["FileFormat/Fixtures"]
    ),
    .testTarget(
      name: "SwiftDatastoreCombineTests",
      dependencies: [
        "SwiftDatastoreCombine", "SampleModel", "SwiftDatastore",
        .product(name: "OpenCombine", package: "OpenCombine"),
      ]
    ),
    .testTarget(
      name: "CoreValueCompatibilityTests",
      dependencies: ["CoreValueCompatibility", "SwiftDatastore"]
    ),
    .testTarget(
      name: "CoreStoreCompatibilityTests",
      dependencies: [
        "CoreStoreCombine", "CoreStoreCompatibility", "DatastoreCore", "DatastoreTestSupport",
        "SwiftDatastore", "SwiftDatastoreCombine",
        .product(name: "OpenCombine", package: "OpenCombine"),
      ]
    ),
    .testTarget(
      name: "DatastoreImportTests",
      dependencies: [
        "DatastoreCore", "DatastoreImport", "Gates", "DatastoreSQLite", "SampleModel",
        "SwiftDatastore",
        "DatastoreTestSupport",
      ]
    ),
    .testTarget(
      name: "DatastoreExportTests",
      dependencies: [
        "DatastoreExport", "DatastoreCore", "DatastoreImport", "DatastoreSQLite", "SampleModel",
        "SwiftDatastore", "DatastoreTestSupport", "TerminalUI",
      ]
    ),
    .testTarget(
      name: "GatesTests",
      dependencies: [
        "DatastoreExport", "DatastoreTestSupport", "Gates", "TerminalUI",
        .product(name: "Yams", package: "Yams"),
      ]
    ),
    .testTarget(
      name: "TerminalUITests", dependencies: ["TerminalUI", "DatastoreTestSupport"]
    ),
    .testTarget(
      name: "SwiftDatastoreTerminalTests",
      dependencies: [
        "SwiftDatastoreTerminal", "DatastoreCore", "DatastoreTestSupport", "SwiftDatastore",
        "TerminalUI",
      ]
    ),
    .testTarget(
      name: "DatastoreBrowserTests",
      dependencies: [
        "DatastoreBrowser", "DatastoreCore", "DatastoreExport", "DatastoreFar", "DatastoreImport",
        "DatastoreSQLite", "DatastoreTestSupport", "SwiftDatastore", "TerminalUI",
        .target(name: "DatastorePostgreSQL", condition: .when(traits: ["PostgreSQL"])),
        .target(name: "SwiftDatastorePostgreSQL", condition: .when(traits: ["PostgreSQL"])),
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      exclude: ["DerivedTables/Pictures"]
    ),
    .testTarget(
      name: "FuzzTests",
      dependencies: [
        "DatastoreBrowser", "DatastoreCore", "DatastoreImport", "DatastoreSQL", "DatastoreSQLite",
        "DatastoreTestSupport", "SampleModel", "SwiftDatastore", "TerminalUI",
      ],
      exclude: ["Corpus"]
    ),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "DatastoreBrowser", "DatastoreCore", "DatastoreFar", "DatastoreSQLite",
        "DatastoreTestSupport", "SwiftDatastore", "SwiftDatastoreFar", "TerminalUI",
        .target(name: "SwiftDatastorePostgreSQL", condition: .when(traits: ["PostgreSQL"])),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)

// Programs in the tests are compiled as a newcomer would: with what a package has by itself.
let others: Set = [
  "BrokenRules", "CPausingVFS", "CSlots", "CSQLiteShims", "ContactBook", "FirstProgram",
  "LedgerWriter",
]
for target in package.targets
where target.type != .system && target.type != .plugin && !others.contains(target.name) {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
