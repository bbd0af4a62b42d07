// What the mailer offers to other plugins: its capability and extension points, with their types.

export {
  type AdminApi,
  type AdminPermission,
  adminAccess,
  adminTenants,
  askingFirst,
  MAILER_ADMIN_API,
  mailerAdminApi
} from './mailer-admin-api.ts'
export type { ActedEntry, MailAuditEntry } from './mailer-audit.ts'
export {
  type BreakerEvidence,
  type BreakerRates,
  type MailBreaker,
  type MailHealth,
  mailerBreaker
} from './mailer-breaker.ts'
export {
  type ContactAdapter,
  type ContactFilter,
  type ContactPage,
  type ContactSort,
  mailerContacts
} from './mailer-contacts.ts'
export {
  type ActingMailer,
  type BroadcastPause,
  type CompiledChange,
  type DedupePolicy,
  type MailContact,
  type MailerCore,
  type MailerReads,
  type MailKind,
  type MailOutcome,
  type MailOutcomes,
  type MailOutcomeType,
  mailerCore,
  type OneOffMail,
  type OperatorMail,
  type SenderDomain,
  type Subscriber,
  type SubscriptionInput,
  type SubscriptionStatus,
  type SuppressionReason,
  type SuppressionScope,
  type TemplateChange,
  type TemplateContent,
  type TemplateVersion,
  type TestMail
} from './mailer-core.ts'
export {
  type DmarcInbound,
  type DmarcInboundOptions,
  mailerDmarcInbound
} from './mailer-dmarc-inbound.ts'
export type { FeedbackResult, MailFeedback } from './mailer-feedback.ts'
export { type ImageStore, mailerImages } from './mailer-images.ts'
export {
  type BounceClass,
  type LookUp,
  type MailAttachment,
  type MailProvider,
  mailerProvider,
  type ProviderCapabilities,
  type ProviderEvent,
  type ProviderEventType,
  type ProviderMessage,
  type ProviderResult,
  type ProviderSend,
  type WebhookHeaders,
  type WebhookToken
} from './mailer-provider.ts'
export {
  mailerPublishGate,
  type PublishContext,
  type PublishGate,
  type PublishRefusal
} from './mailer-publish-gate.ts'
export {
  type GateAnswer,
  type GatedSend,
  mailerSendGate,
  type SendBatch,
  type SendGate,
  type SendGateContext,
  type SendHold
} from './mailer-send-gate.ts'
export {
  mailerSenderFacts,
  type SenderFacts,
  type SenderFactsSource
} from './mailer-sender-facts.ts'
export {
  mailerSetupCheck,
  type SetupCheck,
  type SetupContext,
  type SetupItem,
  type SetupResult,
  type SetupSeverity
} from './mailer-setup-check.ts'
export { type MailerTick, mailerTick, type TickTask } from './mailer-tick.ts'
export { mailerTokenCheck, type TokenCheck } from './mailer-token-check.ts'
export {
  mailerVerifyCheck,
  type RenderedMail,
  type VerifyCheck,
  type VerifyContext,
  type VerifyResult,
  type VerifySubject
} from './mailer-verify-check.ts'
