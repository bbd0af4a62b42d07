// The kernel plugin: a publish gate, routes, and a job that reads results.
import { definePlugin, type Host, KeelsonError } from '@keelson/sdk'
import { mailerAdminApi } from '@keelson/sdk/contracts/mailer-admin-api'
import { mailerPublishGate } from '@keelson/sdk/contracts/mailer-publish-gate'
import { configSchema, type ScorerConfig } from './config.ts'
import manifest from './plugin.json' with { type: 'json' }
import { type OpenContext, scorerRoutes } from './routes/scorer-routes.ts'
import { evaluateContentScorerGate } from './scores/evaluate-gate.ts'
import { readWaiting, scoreOfContent } from './scores/scoring.ts'
import { createContentScorerClient } from './services/create-client.ts'
import type { CheckRow, ScoreRow, Stored } from './storage/rows.ts'

function register(host: Host, config: ScorerConfig): void {
  const client = createContentScorerClient({ ...config, fetch: host.fetch })
  const stored: Stored = {
    scores: host.collection<ScoreRow>('content_scorer_scores'),
    checks: host.collection<CheckRow>('content_scorer_checks')
  }
  const open: OpenContext = (now, signal) => ({ config, stored, client, now, signal })
  host.extend(mailerAdminApi, { name: 'content-scorer', routes: scorerRoutes(open) })
  host.extend(mailerPublishGate, {
    name: 'content-scorer',
    async check(template, { now, options, actor }) {
      if (client === undefined) return null
      const { minScore, requireScore } = config
      const isBypassed = options['bypassContentScorer'] === true
      const row = await scoreOfContent({ stored, now }, template)
      return evaluateContentScorerGate({
        score: row?.score ?? null,
        minScore,
        requireScore,
        isByPerson: actor.startsWith('human:'),
        isBypassed
      })
    }
  })
  host.job('results', async ({ signal, log }) => {
    try {
      await readWaiting(open(host.clock.now(), signal))
    } catch (error) {
      if (!KeelsonError.is(error)) throw error
      log.warn({ code: error.code, reason: error.message }, 'scores could not be read')
    }
  })
}

export default definePlugin({
  manifest,
  config: configSchema,
  register,
  // This module is in dist.
  folder: new URL('..', import.meta.url)
})
