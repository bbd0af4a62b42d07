// Scores of templates in the mailer's admin API.

import {
  adminAccess,
  askingFirst,
  MAILER_ADMIN_API as base,
  type MailerCore
} from '@keelson/mailer/contracts'
import { type Call, KeelsonError, type Operation, operation, systemActor, Type } from '@keelson/sdk'
import { readResult, type ScoringContext, scoreOfContent, startCheck } from '../scores/scoring.ts'
import type { ScoreRow } from '../storage/rows.ts'
import { refusals } from './refusals.ts'
import { checkSchema, draftScoreSchema, resultSchema } from './scorer-answers.ts'

/** What the operations are served with. */
export interface ScorerHost {
  mailer(): MailerCore
  /** Makes the context of one call. */
  open(signal: AbortSignal): ScoringContext
}

/** Reading a result changes nothing of the caller's: the plugin notes for itself that a check has ended. */
const RESULTS = systemActor('content-scorer', 'results')

const params = Type.Object({ slug: Type.String({ maxLength: 256 }) })

const read = operation({
  id: 'content-scorer.scores.read',
  method: 'GET',
  base,
  path: '/templates/:slug/content-scorer',
  summary: 'The score of a draft',
  access: adminAccess.read,
  agent: true,
  effect: 'read',
  params,
  answer: draftScoreSchema,
  errors: refusals.only('bad_id', 'not_found'),
  async run({ params: { slug } }, { host, signal }: Call<ScorerHost>) {
    const context = host.open(signal)
    const compiled = await host.mailer().compileTemplate(slug, {})
    if (compiled === null) return unknown(slug)
    const row = await scoreOfContent(context, compiled.template)
    const { minScore, requireScore, cacheHours } = context.config
    const configured = context.client !== undefined
    return { configured, minScore, requireScore, cacheHours, ...shown(row) }
  }
})

const check = operation({
  id: 'content-scorer.checks.start',
  method: 'POST',
  base,
  path: '/templates/:slug/content-scorer-check',
  summary: 'Has a draft scored: sends one real mail',
  access: adminAccess.publish,
  agent: true,
  effect: 'send',
  params,
  answer: checkSchema,
  errors: refusals.only(
    'bad_id',
    'not_found',
    'not_configured',
    'compile_failed',
    'empty_draft',
    'send_failed',
    'scorer_failed'
  ),
  async run({ params: { slug } }, { host, actor, signal }: Call<ScorerHost>) {
    const context = host.open(signal)
    const { client } = context
    if (client === undefined) return refusals.refuse('not_configured')
    const mailer = host.mailer()
    const compiled = await mailer.compileTemplate(slug, {})
    if (compiled === null) return unknown(slug)
    const { template, compileError } = compiled
    if (compileError !== null) return refusals.refuse('compile_failed', { message: compileError })
    if (template.html === '' && template.text.trim() === '') return refusals.refuse('empty_draft')
    const acting = mailer.as(actor)
    const sending = { ...acting, sampleMessage: mailer.sampleMessage }
    const started = await attempt(startCheck({ ...context, client }, template, sending))
    if (KeelsonError.is(started))
      return refusals.refuse(wordOf(started), { message: started.message })
    if (started.status === 'pending') {
      const { checkId, contentKey } = started
      await acting.audit(auditOf(slug, 'start', { checkId }))
      const message = 'The mail was sent. Its score is there in a minute or two.'
      return {
        cached: false,
        status: 'pending' as const,
        checkId,
        contentKey,
        score: null,
        message
      }
    }
    const { isCached: cached, row } = started
    const { _id: contentKey, checkId, score } = row
    if (!cached) await acting.audit(auditOf(slug, 'complete', { checkId, score }))
    const message = `The content has the score ${score}.`
    return { cached, status: 'ready' as const, checkId, contentKey, score, message }
  }
})

const result = operation({
  id: 'content-scorer.checks.readResult',
  method: 'GET',
  base,
  path: '/templates/:slug/content-scorer-result',
  summary: 'The result of a check',
  access: adminAccess.read,
  agent: true,
  effect: 'read',
  params,
  query: Type.Object({
    checkId: Type.String({ minLength: 1, maxLength: 256 }),
    contentKey: Type.Optional(Type.String({ maxLength: 64 }))
  }),
  answer: resultSchema,
  errors: refusals.only('bad_id', 'not_found', 'not_configured', 'scorer_failed'),
  async run({ params: { slug }, query: { checkId } }, { host, signal }: Call<ScorerHost>) {
    const context = host.open(signal)
    const { client, stored } = context
    if (client === undefined) return refusals.refuse('not_configured')
    const kept = await stored.scores.findOne({ checkId })
    if (kept !== null) return { status: 'ready' as const, ...shown(kept) }
    const started = await stored.checks.findOne({ _id: checkId, slug })
    if (started === null)
      return refusals.refuse('not_found', { message: `There is no check ${checkId}.` })
    const row = await attempt(readResult({ ...context, client }, started))
    if (KeelsonError.is(row)) return refusals.refuse('scorer_failed', { message: row.message })
    if (row === null) return { status: 'pending' as const, ...shown(null) }
    const entry = auditOf(slug, 'complete', { checkId, score: row.score })
    await host.mailer().as(RESULTS).audit(entry)
    return { status: 'ready' as const, ...shown(row) }
  }
})

/** The operations of the plugin. */
export const scorerOperations: readonly Operation<ScorerHost>[] = askingFirst(
  [read, check, result],
  ({ mailer }) => mailer()
)

/** What the service or the mailer failed with, as a value. */
async function attempt<T>(asked: Promise<T>): Promise<T | KeelsonError> {
  try {
    return await asked
  } catch (error) {
    if (KeelsonError.is(error)) return error
    throw error
  }
}

/** One word for one cause: the service is at fault, or the mailer. */
const wordOf = ({ code }: KeelsonError) =>
  code.startsWith('SCR_') ? 'scorer_failed' : 'send_failed'

const auditOf = (slug: string, step: 'start' | 'complete', after: object) => ({
  action: `content_scorer.check.${step}`,
  resource: { collection: 'mailer_templates', slug },
  after
})

const shown = (row: ScoreRow | null) => ({
  score: row?.score ?? null,
  feedback: row?.feedback ?? [],
  summary: row?.summary ?? null,
  scoredAt: row?.scoredAt ?? null
})

const unknown = (slug: string) =>
  refusals.refuse('not_found', { message: `There is no template ${slug}.` })
