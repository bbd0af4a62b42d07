// The public entry of @keelson/mailer/deliverability: the functions of the deliverability packages by the
// names of the mailer's document. Those packages are optional peers, and this entry needs them all.

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
