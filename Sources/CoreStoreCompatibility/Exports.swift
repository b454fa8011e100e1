// Code that was written for CoreStore imports this module alone.
@_exported public import SwiftDatastore
