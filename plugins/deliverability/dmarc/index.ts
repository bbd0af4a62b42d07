// The public entry of @keelson/dmarc.
export type * from './aggregate/report.ts'
export type { FeedbackReport, FeedbackType } from './failures/feedback-report.ts'
export { ingestDmarcAttachment } from './ingest/ingest-file.ts'
export { pruneDmarcFailures } from './ingest/remove-records.ts'
export {
  type CurrentPolicy,
  type Progression,
  type ProgressionFacts,
  suggestPolicyProgression
} from './overview/policy-progression.ts'
export { default } from './plugin.ts'
export { extractDmarcXml, parseDmarcReport } from './reading/read-xml.ts'
export {
  type CloudflareOptions,
  type Published,
  publishRecord,
  type RecordToPublish
} from './setup/cloudflare.ts'
export { setupDmarc } from './setup/setup-dmarc.ts'
export {
  type FindTag,
  type KnownSource,
  resolveSourceTags,
  type SourceTag
} from './sources/source-tags.ts'
export type { TlsReport } from './tls/parse-tls-report.ts'
