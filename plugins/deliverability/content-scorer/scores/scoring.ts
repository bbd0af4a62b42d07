// Starts checks, reads their results, and keeps scores.
import type { ActingMailer, MailerReads, TemplateContent } from '@keelson/mailer/contracts'
import type { ScorerConfig } from '../config.ts'
import type { ContentScore, ContentScorerClient } from '../services/content-service.ts'
import type { CheckRow, ScoreRow, Stored } from '../storage/rows.ts'
import { contentScorerContentKey } from './content-key.ts'

/** What scoring works with. */
export interface ScoringContext {
  readonly config: ScorerConfig
  readonly stored: Stored
  /** undefined when scoring is not configured. */
  readonly client: ContentScorerClient | undefined
  readonly now: Date
  readonly signal: AbortSignal
}

const HOUR_MS = 3_600_000
/** A check that is not finished by then never will be. */
const CHECK_HOURS = 24

/** The score of content; null when it has none, or its score is too old. */
export const scoreOfContent = (
  { stored, now }: Pick<ScoringContext, 'stored' | 'now'>,
  template: Pick<TemplateContent, 'bodyHash' | 'subject' | 'fromEmail'>
): Promise<ScoreRow | null> =>
  stored.scores.findOne({ _id: contentScorerContentKey(template), expiresAt: { $gt: now } })

/** What starting a check came to. */
export type CheckStart =
  | { readonly status: 'ready'; readonly isCached: boolean; readonly row: ScoreRow }
  | { readonly status: 'pending'; readonly checkId: string; readonly contentKey: string }

/**
 * Starts a check of a draft, unless its content has a score. The service reads a real mail, which goes out
 * through the default provider.
 *
 * @throws SCR_CALL_FAILED, SCR_ANSWER_INVALID, and what `sendTest` and `sampleMessage` throw
 */
export async function startCheck(
  context: ScoringContext & { readonly client: ContentScorerClient },
  template: TemplateContent,
  mailer: Pick<ActingMailer, 'sendTest'> & Pick<MailerReads, 'sampleMessage'>
): Promise<CheckStart> {
  const { client, stored, now, signal } = context
  const known = await scoreOfContent(context, template)
  if (known !== null) return { status: 'ready', isCached: true, row: known }
  const contentKey = contentScorerContentKey(template)
  const { checkId, address, score } = await client.start(
    { message: () => mailer.sampleMessage(template.slug, 'draft') },
    { signal }
  )
  if (score !== null) {
    const row = await keepScore(context, { checkId, contentKey }, score)
    return { status: 'ready', isCached: false, row }
  }
  const check: CheckRow = {
    _id: checkId,
    slug: template.slug,
    contentKey,
    startedAt: now,
    nextAt: now,
    expiresAt: new Date(now.getTime() + CHECK_HOURS * HOUR_MS)
  }
  await stored.checks.insertOne(check)
  try {
    const mail = { templateSlug: template.slug, version: 'draft' } as const
    if (address !== null) await mailer.sendTest({ ...mail, to: address })
  } catch (error) {
    await stored.checks.deleteOne({ _id: checkId })
    throw error
  }
  return { status: 'pending', checkId, contentKey }
}

/** The score of a check; null while it is not finished. Asked again, it answers what was kept. */
export async function readResult(
  context: ScoringContext & { readonly client: ContentScorerClient },
  check: Pick<CheckRow, '_id' | 'contentKey'>
): Promise<ScoreRow | null> {
  const score = await context.client.result(check._id, context.signal)
  if (score === null) return null
  return keepScore(context, { checkId: check._id, contentKey: check.contentKey }, score)
}

interface Scored {
  readonly checkId: string
  readonly contentKey: string
}

async function keepScore(
  { stored, config, now }: ScoringContext,
  { checkId, contentKey }: Scored,
  score: ContentScore
): Promise<ScoreRow> {
  const expiresAt = new Date(now.getTime() + config.cacheHours * HOUR_MS)
  const row = { checkId, ...score, scoredAt: now, expiresAt }
  await stored.scores.updateOne({ _id: contentKey }, { $set: row }, { upsert: true })
  await stored.checks.deleteOne({ _id: checkId })
  return { _id: contentKey, ...row }
}

const PAUSE_MS = 60_000
const POLLED = 20

/** Reads the results of checks that are waiting, so that none is lost with the page that started it. */
export async function readWaiting(context: ScoringContext): Promise<number> {
  const { client, stored, now } = context
  if (client === undefined) return 0
  const waiting = await stored.checks
    .find({ nextAt: { $lte: now } })
    .sort({ nextAt: 1 })
    .limit(POLLED)
    .toArray()
  let read = 0
  for (const check of waiting) {
    // Longer and longer pauses: as long again as it has waited.
    const waited = now.getTime() - check.startedAt.getTime()
    const nextAt = new Date(now.getTime() + Math.max(PAUSE_MS, waited))
    await stored.checks.updateOne({ _id: check._id }, { $set: { nextAt } })
    if ((await readResult({ ...context, client }, check)) !== null) read += 1
  }
  return read
}
