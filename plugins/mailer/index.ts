// The public entry of @keelson/mailer.
// The platform starts plugin.ts, so the deliverability functions cost a start without them nothing.

export { runDnsblChecks } from '@keelson/block-lists'
export {
  effectiveOverallStatus,
  evaluateHealth,
  getBucketStatus,
  recordHealthCounter
} from '@keelson/circuit-breaker'
export { lintTemplate } from '@keelson/content-linter'
export {
  contentScorerContentKey,
  createContentScorerClient,
  evaluateContentScorerGate
} from '@keelson/content-scorer'
export {
  extractDmarcXml,
  ingestDmarcAttachment,
  parseDmarcReport,
  pruneDmarcFailures,
  resolveSourceTags,
  suggestPolicyProgression
} from '@keelson/dmarc'
export { computeListHygiene } from '@keelson/list-hygiene'
export { runPostmasterPull } from '@keelson/postmaster'
export { runSndsPull } from '@keelson/snds'
export {
  type AdminMailer,
  type AdminPermissions,
  createMailerAdmin,
  type MailerAdminOptions
} from './admin/admin-router.ts'
export { adminRefusalWords, statusOfRefusal } from './admin/refusal-status.ts'
export type { BroadcastRow } from './broadcasts/broadcast-row.ts'
export { cancelBroadcast } from './broadcasts/cancel-broadcast.ts'
export { countBroadcast } from './broadcasts/count-recipients.ts'
export {
  broadcastDraftSchema,
  changeDraft as changeBroadcastDraft,
  createBroadcast,
  newBroadcastSchema,
  recipientCapSchema,
  stopRulesSchema
} from './broadcasts/draft-broadcast.ts'
export { pauseByHand, templatesOf } from './broadcasts/pause-broadcasts.ts'
export { listBroadcasts, readBroadcast } from './broadcasts/read-broadcasts.ts'
export { resumeBroadcast } from './broadcasts/resume-broadcast.ts'
export { scheduleBroadcast } from './broadcasts/schedule-broadcast.ts'
export { testSend } from './broadcasts/test-send.ts'
export type {
  ContactAdapterOption,
  FactsAdapter,
  MailerLogger,
  MailTelemetry,
  OnSendFailure,
  TemplateHelper,
  VarsAdapter,
  VarsRequest
} from './config/host-code.ts'
export type { PluginCode } from './config/plugin-config.ts'
export type { MailerConfig } from './config/schema.ts'
export type { ContactAdapter, ContactFilter, ContactPage, ContactSort } from './contacts/adapter.ts'
export { readContact } from './contacts/contact-records.ts'
export { findSubscriptions } from './contacts/find-subscriptions.ts'
export { findSuppressions } from './contacts/find-suppressions.ts'
export { type Drained, drainPendingUnsubscribes } from './contacts/journal/drain-journal.ts'
export {
  createMemoryAdapter,
  type MemoryAdapter,
  type MemoryAdapterOptions
} from './contacts/memory-adapter.ts'
export { createMongoContactAdapter } from './contacts/mongo/mongo-adapter.ts'
export type { MongoContactOptions } from './contacts/mongo/mongo-options.ts'
export { resetContact } from './contacts/reset-contact.ts'
export { resubscribe } from './contacts/subscribe.ts'
export { isInForce, suppressionThatBlocks } from './contacts/suppression-rules.ts'
export { changeTags } from './contacts/tags.ts'
export { signUnsubscribe } from './contacts/unsubscribe-token.ts'
export type { MailerContext } from './context.ts'
export { errorTable as mailerErrors } from './errors.ts'
export { advanceRun } from './flows/advance-run.ts'
export { armFlow } from './flows/arm-flow.ts'
export {
  changeFlow,
  createFlow,
  type FlowResult,
  getFlow,
  listFlows,
  pauseFlow,
  resumeFlow
} from './flows/flow-operations.ts'
export type { FlowRow, FlowRunRow } from './flows/flow-rows.ts'
export { gateFlow, ungateFlow } from './flows/gate-flow.ts'
export type { Tally } from './flows/interpret/tally-runs.ts'
export { publishFlow } from './flows/publish-flow.ts'
export { listRuns, stopRun } from './flows/run-operations.ts'
export {
  type CohortRequest,
  type CohortSimulation,
  simulateCohort,
  templatesOfSteps
} from './flows/simulate-cohort.ts'
export { simulateFlow } from './flows/simulate-flow.ts'
export { startRun } from './flows/start-run.ts'
export { type MailerHandle, mailerHandle } from './handle.ts'
export { Mailer, type QueueFacade } from './mailer.ts'
export { createMailerPlugin, default } from './plugin.ts'
export { judgePolicy, policyReach } from './policy/contact-policy.ts'
export { recentMarketing } from './policy/recent-mail.ts'
export { forgetSubject } from './programs/run-operations.ts'
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
export { createMailerPublic, type MailerPublicOptions, type PublicMailer } from './public-routes.ts'
export { holdOfBatch } from './sends/ask-gates.ts'
export { readSend } from './sends/read-sends.ts'
export type { SendRow } from './sends/send-row.ts'
export { readSetupStatus } from './setup/setup-status.ts'
export { type MailerCollections, syncIndexes } from './storage/collections.ts'
export { mailTelemetryRegistry } from './telemetry/mail-events.ts'
export {
  changeDraft,
  createTemplate,
  type DraftChanged,
  type TemplateCreated
} from './templates/edit-template.ts'
export {
  openPublished,
  type PreviewRequest,
  type PublishedPreview,
  previewContact,
  previewTemplate
} from './templates/preview-template.ts'
export { type PublishResult, publishTemplate } from './templates/publish-template.ts'
export {
  putTemplate,
  type TemplateDocument,
  templateDocumentSchema
} from './templates/put-template.ts'
export { getTemplate, getVersion, listTemplates } from './templates/read-templates.ts'
export { referencedPaths } from './templates/referenced-paths.ts'
export { templateFault } from './templates/template-faults.ts'
export type { TemplateRow } from './templates/template-rows.ts'
export {
  createTestMailer,
  type TestMailer,
  type TestMailerOptions
} from './testing/create-test-mailer.ts'
export { createTick, type Tick } from './tick/tick.ts'
