// What the mails behind the rate of a tripped domain are from, when one broadcast sent them all.
import type { Health, HealthApi } from './api.ts'
import { mailsBehind, STATUS } from './before-resume.ts'
import type { Origin } from './cockpit/verdicts.ts'
import { ratesOf, toneOf } from './rates.ts'

interface MailLine {
  readonly broadcastSlug?: string
  readonly names?: { readonly broadcast?: string }
}

/** Mails of a domain that are looked at. */
const MOST = 100

/** By domain. Empty where no domain is tripped or no mailer lists mails. */
export async function readOrigins(
  api: HealthApi,
  { buckets, thresholds }: Pick<Health, 'buckets' | 'thresholds'>,
  signal: AbortSignal
): Promise<ReadonlyMap<string, Origin>> {
  const found = new Map<string, Origin>()
  const tripped = buckets.filter(({ status, kind }) => status === 'tripped' && kind === 'marketing')
  await Promise.all(
    tripped.map(async (bucket) => {
      const over = ratesOf(bucket, thresholds).find((rate) => toneOf(rate) === 'bad')
      if (over === undefined || bucket.senderDomain === null) return
      const { params } = mailsBehind(bucket, STATUS[over.id])
      const query = new URLSearchParams({ ...params, limit: String(MOST) })
      const lines = await api.readIfThere<readonly MailLine[]>(`/sends?${query}`, signal)
      const origin = originOf(lines ?? [])
      if (origin !== undefined) found.set(bucket.senderDomain, origin)
    })
  )
  return found
}

/** The broadcast of all of these mails. Pure. */
export function originOf(lines: readonly MailLine[]): Origin | undefined {
  const [first] = lines
  const slug = first?.broadcastSlug
  if (slug === undefined || lines.some(({ broadcastSlug }) => broadcastSlug !== slug))
    return undefined
  return { slug, name: first?.names?.broadcast ?? slug }
}
