// The public entry of @keelson/content-scorer.
export type { ScorerConfig } from './config.ts'
export { default } from './plugin.ts'
export { contentScorerContentKey } from './scores/content-key.ts'
export {
  evaluateContentScorerGate,
  type ScoreGate,
  type ScoreRefusal
} from './scores/evaluate-gate.ts'
export type {
  ContentScore,
  ContentScorerClient,
  ScoredMail,
  ScoreFeedback,
  StartedCheck
} from './services/content-service.ts'
export { type ClientOptions, createContentScorerClient } from './services/create-client.ts'
