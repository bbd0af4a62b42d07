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
  type ActingCampaignMailer,
  type CampaignMail,
  type CampaignMailer,
  type CampaignMailState,
  type CampaignMails,
  mailerCampaignMail,
  type PublishedTemplate,
  type QueuedMails,
  type WithSession
} from './mailer-campaign-mail.ts'
export {
  type CampaignContext,
  type CampaignSend,
  type CampaignSource,
  type CampaignStop,
  type MailCampaign,
  mailerCampaigns
} from './mailer-campaigns.ts'
export {
  type ContactData,
  type ContactSubject,
  mailerContactData
} from './mailer-contact-data.ts'
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
export {
  type ContactEvent,
  type EventListener,
  type ListenerContext,
  mailerEventListener
} from './mailer-event-listener.ts'
export type { FeedbackResult, MailFeedback } from './mailer-feedback.ts'
export type { HeldBroadcast, HeldMailReads } from './mailer-held-mail.ts'
export { type ImageStore, mailerImages } from './mailer-images.ts'
export {
  type ActingOperations,
  type MailerAnswer,
  type MailerCallOptions,
  type MailerErrorRow,
  type MailerFile,
  type MailerInput,
  type MailerOperationId,
  type MailerOperations,
  type MailerRefusal,
  type MailerResult,
  mailerOperations
} from './mailer-operations.ts'
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
export { mailerRefusals } from './mailer-refusals.ts'
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
export {
  type ActingWorkbench,
  type BroadcastWork,
  type CohortWanted,
  type ContactWork,
  type FlowWork,
  type MailerWorkbench,
  type MailWork,
  mailerWorkbench,
  type StateWork,
  type TemplateWork
} from './mailer-workbench.ts'
export type { MailerOperationTypes } from './operation-types.ts'
export type {
  ContactState,
  EventState,
  FlowAtWork,
  FlowTally,
  FlowWalk,
  MailCheck,
  MailFigures,
  MailPath,
  MailReport,
  MailState,
  ReportFigures,
  ResetCounts,
  ResetParts,
  RunState,
  RunStep,
  ShownFor,
  ShownTemplate,
  SimulatedFlow,
  SubscriptionState,
  SuppressionState,
  TemplateVerification,
  VerifiedMail,
  WantedMail
} from './workbench-states.ts'
