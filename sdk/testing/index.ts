// The public entry of @keelson/sdk/testing.

export {
  createMailerStandIn,
  type GateHold,
  type MailerStandIn,
  type MailerStandInOptions,
  type SetupLine,
  type VerifyLine
} from './mailer-stand-in.ts'
export {
  createGivenMailer,
  type GivenMailer,
  type MailerCall,
  type MailerData,
  type MailerFunction,
  type MailerFunctions
} from './recorded-mailer.ts'
export { sampleSend, sampleTemplate } from './sample-mail.ts'
export type { TestClock } from './test-clock.ts'
export { databaseUri, type Teardown, type TestDatabase, testDatabase } from './test-database.ts'
export { holdTestEngine } from './test-engine.ts'
export { createTestHost, type TestHost, type TestHostOptions } from './test-host.ts'
