// The public entry of @keelson/mailer/testing: a mailer for the tests of plugins around it.

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
