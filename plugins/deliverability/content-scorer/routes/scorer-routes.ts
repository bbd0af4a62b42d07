// Scores of templates in the mailer's admin API.
import { KeelsonError, Type } from '@keelson/sdk'
import {
  type AdminAnswer,
  type AdminCall,
  type AdminRoute,
  adminRoute
} from '@keelson/sdk/contracts/mailer-admin-api'
import { readResult, type ScoringContext, scoreOfContent, startCheck } from '../scores/scoring.ts'
import type { ScoreRow } from '../storage/rows.ts'

/** Makes the context of one call. */
export type OpenContext = (now: Date, signal: AbortSignal) => ScoringContext

const score = Type.Union([Type.Number(), Type.Null()])
const details = {
  feedback: Type.Array(
    Type.Object({ category: Type.String(), severity: Type.String(), message: Type.String() })
  ),
  summary: Type.Union([Type.String(), Type.Null()]),
  scoredAt: Type.Union([Type.String(), Type.Null()])
}
const params = Type.Object({ slug: Type.String({ maxLength: 256 }) })

export const scorerRoutes = (open: OpenContext): readonly AdminRoute[] => [
  readRoute(open),
  checkRoute(open),
  resultRoute(open)
]

const readRoute = (open: OpenContext): AdminRoute =>
  adminRoute({
    method: 'GET',
    path: '/templates/:slug/content-scorer',
    summary: 'The score of a draft',
    schema: {
      params,
      response: {
        200: Type.Object({
          configured: Type.Boolean(),
          minScore: Type.Number(),
          requireScore: Type.Boolean(),
          cacheHours: Type.Number(),
          score,
          ...details
        })
      }
    },
    async handler({ params: { slug }, mailer, now, signal }) {
      const context = open(now, signal)
      const compiled = await mailer.compileTemplate(slug, {})
      if (compiled === null) return unknown(slug)
      const row = await scoreOfContent(context, compiled.template)
      const { minScore, requireScore, cacheHours } = context.config
      const configured = context.client !== undefined
      return { body: { configured, minScore, requireScore, cacheHours, ...shown(row) } }
    }
  })

const checkRoute = (open: OpenContext): AdminRoute =>
  adminRoute({
    method: 'POST',
    path: '/templates/:slug/content-scorer-check',
    summary: 'Has a draft scored: sends one real mail',
    permission: 'publish',
    schema: {
      params,
      response: {
        200: Type.Object({
          cached: Type.Boolean(),
          status: Type.Enum(['pending', 'ready']),
          checkId: Type.String(),
          contentKey: Type.String(),
          score,
          message: Type.String()
        })
      }
    },
    handler: (call) => check(open(call.now, call.signal), call.params.slug, call)
  })

async function check(
  context: ScoringContext,
  slug: string,
  { mailer, audit }: Pick<AdminCall, 'mailer' | 'audit'>
): Promise<AdminAnswer> {
  const { client } = context
  if (client === undefined) return refused(400, 'not_configured', 'Scoring is not configured.')
  const compiled = await mailer.compileTemplate(slug, {})
  if (compiled === null) return unknown(slug)
  const { template, compileError } = compiled
  if (compileError !== null) return refused(400, 'compile_failed', compileError)
  if (template.html === '' && template.text.trim() === '') {
    return refused(400, 'empty_draft', 'The draft is empty.')
  }
  try {
    const started = await startCheck({ ...context, client }, template, mailer)
    if (started.status === 'ready') {
      const { _id: contentKey, checkId, score: found } = started.row
      const message = `The content has the score ${found}.`
      const body = {
        cached: started.isCached,
        status: 'ready',
        checkId,
        contentKey,
        score: found,
        message
      }
      if (!started.isCached) await audit(auditOf(slug, 'complete', { checkId, score: found }))
      return { body }
    }
    const { checkId, contentKey } = started
    await audit(auditOf(slug, 'start', { checkId }))
    const message = 'The mail was sent. Its score is there in a minute or two.'
    return { body: { cached: false, status: 'pending', checkId, contentKey, score: null, message } }
  } catch (error) {
    if (!KeelsonError.is(error)) throw error
    return refused(502, 'send_failed', error.message)
  }
}

const resultRoute = (open: OpenContext): AdminRoute =>
  adminRoute({
    method: 'GET',
    path: '/templates/:slug/content-scorer-result',
    summary: 'The result of a check',
    schema: {
      params,
      querystring: Type.Object({
        checkId: Type.String({ minLength: 1, maxLength: 256 }),
        contentKey: Type.Optional(Type.String({ maxLength: 64 }))
      }),
      response: {
        200: Type.Object({ status: Type.Enum(['pending', 'ready']), score, ...details })
      }
    },
    async handler({ params: { slug }, query: { checkId }, now, signal, audit }) {
      const context = open(now, signal)
      const { client, stored } = context
      if (client === undefined) return refused(400, 'not_configured', 'Scoring is not configured.')
      const kept = await stored.scores.findOne({ checkId })
      if (kept !== null) return { body: { status: 'ready', ...shown(kept) } }
      const started = await stored.checks.findOne({ _id: checkId, slug })
      if (started === null) return refused(404, 'not_found', `There is no check ${checkId}.`)
      try {
        const row = await readResult({ ...context, client }, started)
        if (row === null) return { body: { status: 'pending', ...shown(null) } }
        await audit(auditOf(slug, 'complete', { checkId, score: row.score }))
        return { body: { status: 'ready', ...shown(row) } }
      } catch (error) {
        if (!KeelsonError.is(error)) throw error
        return refused(502, 'scorer_failed', error.message)
      }
    }
  })

const auditOf = (slug: string, step: 'start' | 'complete', after: object) => ({
  action: `content_scorer.check.${step}`,
  resource: { collection: 'mailer_templates', slug },
  after
})

const shown = (row: ScoreRow | null) => ({
  score: row?.score ?? null,
  feedback: row?.feedback.map((one) => ({ ...one })) ?? [],
  summary: row?.summary ?? null,
  scoredAt: row?.scoredAt.toISOString() ?? null
})

const refused = (status: number, error: string, message: string): AdminAnswer => ({
  status,
  body: { error, message }
})

const unknown = (slug: string) => refused(404, 'not_found', `There is no template ${slug}.`)
