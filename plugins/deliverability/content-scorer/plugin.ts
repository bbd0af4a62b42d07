// The kernel plugin: a publish gate, operations, and a job that reads results.

import { mailerAdminApi, mailerCore, mailerPublishGate } from '@keelson/mailer/contracts'
import { bindOperations, definePlugin, type Host, KeelsonError } from '@keelson/sdk'
import { configSchema, type ScorerConfig } from './config.ts'
import { type ScorerHost, scorerOperations } from './operations/scorer-operations.ts'
import manifest from './plugin.json' with { type: 'json' }
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
  const services: ScorerHost = {
    mailer: () => host.use(mailerCore),
    open: (signal) => ({ config, stored, client, now: host.clock.now(), signal })
  }
  host.serve(scorerOperations, services)
  host.extend(mailerAdminApi, {
    name: 'content-scorer',
    operations: bindOperations(scorerOperations, services)
  })
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
      await readWaiting(services.open(signal))
    } catch (error) {
      if (!KeelsonError.is(error)) throw error
      log.warn({ code: error.code, reason: error.message }, 'scores could not be read')
    }
  })
}

export default definePlugin({
  manifest,
  config: configSchema,
  operations: scorerOperations,
  register,
  // This module is in dist.
  folder: new URL('..', import.meta.url)
})
