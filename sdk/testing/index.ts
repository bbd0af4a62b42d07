// The public entry of @keelson/sdk/testing.

export type { TestClock } from './test-clock.ts'
export { databaseUri, type Teardown, type TestDatabase, testDatabase } from './test-database.ts'
export { holdTestEngine } from './test-engine.ts'
export { createTestHost, type TestHost, type TestHostOptions } from './test-host.ts'
