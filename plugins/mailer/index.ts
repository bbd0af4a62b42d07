// The public entry of @keelson/mailer: what a host makes a mailer with. Other plugins use `contracts`.

export {
  type AdminMailer,
  type AdminPermissions,
  createMailerAdmin,
  type MailerAdminOptions
} from './admin/admin-router.ts'
export {
  type Drained,
  drainPendingUnsubscribes
} from './audience/contacts/journal/drain-journal.ts'
export {
  createMemoryAdapter,
  type MemoryAdapter,
  type MemoryAdapterOptions
} from './audience/contacts/memory-adapter.ts'
export { createMongoContactAdapter } from './audience/contacts/mongo/mongo-adapter.ts'
export type { MongoContactOptions } from './audience/contacts/mongo/mongo-options.ts'
export { mailTelemetryRegistry } from './delivery/telemetry/mail-events.ts'
export { errorTable as mailerErrors } from './errors.ts'
export type { PluginCode } from './host/config/plugin-config.ts'
export { Mailer, type QueueFacade } from './host/mailer.ts'
export {
  createMailerPublic,
  type MailerPublicOptions,
  type PublicMailer
} from './host/public-routes.ts'
export type { ContactAdapter, ContactFilter, ContactPage, ContactSort } from './ledger/adapter.ts'
export type {
  ContactAdapterOption,
  MailerLogger,
  MailTelemetry,
  OnSendFailure,
  TemplateHelper,
  VarsAdapter,
  VarsRequest
} from './ledger/host-code.ts'
export type { MailerConfig } from './ledger/schema.ts'
export { type MailerCollections, syncIndexes } from './ledger/storage/collections.ts'
export { createMailerPlugin, default } from './plugin.ts'
export {
  createMailgunProvider,
  type MailgunProviderOptions
} from './providers/mailgun/mailgun-provider.ts'
export {
  createPostmarkProvider,
  type PostmarkProviderOptions
} from './providers/postmark/postmark-provider.ts'
export {
  createNullProvider,
  createRecordingProvider,
  type LocalProviderOptions,
  type RecordingProvider
} from './providers/recording/recording-provider.ts'
export {
  createResendProvider,
  type ResendProviderOptions
} from './providers/resend/resend-provider.ts'
export {
  createSendGridProvider,
  type SendGridProviderOptions
} from './providers/sendgrid/sendgrid-provider.ts'
export { createSesProvider, type SesProviderOptions } from './providers/ses/ses-provider.ts'
export { createSmtpProvider, type SmtpProviderOptions } from './providers/smtp/smtp-provider.ts'
export {
  createTestMailer,
  type TestMailer,
  type TestMailerOptions
} from './testing/create-test-mailer.ts'
