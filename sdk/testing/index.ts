// The public entry of @keelson/sdk/testing.

export type { TestClock } from './test-clock.ts'
export { createTestHost, type TestHost, type TestHostOptions } from './test-host.ts'
