// The public entry of @keelson/mailer.

export type { AdminHost } from './admin/admin-operation.ts'
export { adminOperations } from './admin/admin-operations.ts'
export {
  type AdminMailer,
  type AdminPermissions,
  createMailerAdmin,
  type MailerAdminOptions
} from './admin/admin-router.ts'
export { broadcastDetailSchema, broadcastSchema } from './admin/broadcast-answers.ts'
export { flowSchema } from './admin/flow-answers.ts'
export { readSetupStatus } from './admin/setup/setup-status.ts'
export { sendSuppressionFile, suppressionFile } from './admin/suppression-file.ts'
export { templateSchema } from './admin/template-answers.ts'
export { readContact } from './audience/contacts/contact-records.ts'
export { findSubscriptions } from './audience/contacts/find-subscriptions.ts'
export { findSuppressions } from './audience/contacts/find-suppressions.ts'
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
export { isInForce, suppressionThatBlocks } from './audience/contacts/suppression-rules.ts'
export { changeTags } from './audience/contacts/tags.ts'
export { signUnsubscribe } from './audience/contacts/unsubscribe-token.ts'
export { hasPolicy, judgeMail, mailPolicyReach } from './audience/policy/mail-policy.ts'
export { recentMarketing } from './audience/policy/recent-mail.ts'
export { cancelBroadcast } from './campaigns/broadcasts/cancel-broadcast.ts'
export { countBroadcast } from './campaigns/broadcasts/count-recipients.ts'
export {
  broadcastDraftSchema,
  changeDraft as changeBroadcastDraft,
  createBroadcast,
  newBroadcastSchema,
  recipientCapSchema,
  stopRulesSchema
} from './campaigns/broadcasts/draft-broadcast.ts'
export { pauseByHand, templatesOf } from './campaigns/broadcasts/pause-broadcasts.ts'
export { listBroadcasts, readBroadcast } from './campaigns/broadcasts/read-broadcasts.ts'
export { resumeBroadcast } from './campaigns/broadcasts/resume-broadcast.ts'
export { retryBroadcast } from './campaigns/broadcasts/retry-broadcast.ts'
export { scheduleBroadcast } from './campaigns/broadcasts/schedule-broadcast.ts'
export { testSend } from './campaigns/broadcasts/test-send.ts'
export { advanceRun } from './campaigns/flows/advance-run.ts'
export { armFlow } from './campaigns/flows/arm-flow.ts'
export {
  changeFlow,
  createFlow,
  type FlowResult,
  getFlow,
  listFlows,
  pauseFlow,
  resumeFlow
} from './campaigns/flows/flow-operations.ts'
export { gateFlow, ungateFlow } from './campaigns/flows/gate-flow.ts'
export type { Tally } from './campaigns/flows/interpret/tally-runs.ts'
export { publishFlow } from './campaigns/flows/publish-flow.ts'
export { listRuns, stopRun } from './campaigns/flows/run-operations.ts'
export {
  type CohortRequest,
  type CohortSimulation,
  simulateCohort,
  templatesOfSteps
} from './campaigns/flows/simulate-cohort.ts'
export { simulateFlow } from './campaigns/flows/simulate-flow.ts'
export { startRun } from './campaigns/flows/start-run.ts'
export { resetContact } from './consent/reset-contact.ts'
export { resubscribe } from './consent/subscribe.ts'
export {
  changeDraft,
  createTemplate,
  type DraftChanged,
  type TemplateCreated
} from './content/templates/edit-template.ts'
export {
  openPublished,
  type PreviewRequest,
  type PublishedPreview,
  previewContact,
  previewTemplate
} from './content/templates/preview-template.ts'
export { type PublishResult, publishTemplate } from './content/templates/publish-template.ts'
export {
  putTemplate,
  type TemplateDocument,
  templateDocumentSchema
} from './content/templates/put-template.ts'
export { getTemplate, getVersion, listTemplates } from './content/templates/read-templates.ts'
export { referencedPaths } from './content/templates/referenced-paths.ts'
export { templateFault } from './content/templates/template-faults.ts'
export { holdOfBatch } from './delivery/sends/ask-gates.ts'
export { resolveSends, retrySends } from './delivery/sends/change-many.ts'
export { readSend } from './delivery/sends/read-sends.ts'
export { countOpenSends, sendSelectionSchema } from './delivery/sends/select-sends.ts'
export { mailTelemetryRegistry } from './delivery/telemetry/mail-events.ts'
export { errorTable as mailerErrors } from './errors.ts'
export type { PluginCode } from './host/config/plugin-config.ts'
export { type MailerHandle, mailerHandle } from './host/handle.ts'
export { Mailer, type QueueFacade } from './host/mailer.ts'
export {
  createMailerPublic,
  type MailerPublicOptions,
  type PublicMailer
} from './host/public-routes.ts'
export { tickNow } from './host/tick/tick.ts'
export { actingOf } from './ledger/acting.ts'
export type { ContactAdapter, ContactFilter, ContactPage, ContactSort } from './ledger/adapter.ts'
export { normalAddress } from './ledger/address.ts'
export type { BroadcastRow } from './ledger/broadcast-row.ts'
export type { SuppressionRow } from './ledger/contact-rows.ts'
export type { MailerContext } from './ledger/context.ts'
export type { EventRow } from './ledger/event-rows.ts'
export type { FlowRow, FlowRunRow, FlowTrigger } from './ledger/flow-rows.ts'
export type {
  ContactAdapterOption,
  MailerLogger,
  MailTelemetry,
  OnSendFailure,
  TemplateHelper,
  VarsAdapter,
  VarsRequest
} from './ledger/host-code.ts'
export { adminRefusalWords, mailRefusals } from './ledger/refusals.ts'
export type { MailerConfig } from './ledger/schema.ts'
export type { SendRow } from './ledger/send-row.ts'
export { type MailerCollections, syncIndexes } from './ledger/storage/collections.ts'
export type { TemplateRow } from './ledger/template-rows.ts'
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
