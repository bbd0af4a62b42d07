// Broadcasts that a tripped domain holds: how many mails wait, and how many go to addresses never mailed before.
import type { KeelsonPage } from '@keelson/ui'
import type { Bucket, HealthApi } from './api.ts'

/** A broadcast that waits for the resume of its domain. */
export interface HeldBroadcast {
  readonly slug: string
  readonly name: string
  /** Mails that go out with a resume. */
  readonly held: number
  /** Of these, mails to addresses that had no mail before. */
  readonly risky: number
}

interface BroadcastLine {
  readonly slug: string
  readonly name: string
  readonly status: string
  readonly pauseReason?: { readonly by: string }
}

interface Count {
  readonly recipientCount: number
  readonly heldSends: number
}

/** More are not counted. */
const MOST = 5
const NEVER_MAILED = { leaveOut: 'never_mailed' } as const

/** Under this name the breaker pauses the broadcasts of a domain. */
const pauseName = (domain: string): string => `circuit-breaker:${domain}`

/** By domain. Empty where no domain is tripped or no mailer lists broadcasts. */
export async function readHeld(
  api: HealthApi,
  buckets: readonly Pick<Bucket, 'senderDomain' | 'status'>[],
  signal: AbortSignal
): Promise<ReadonlyMap<string, readonly HeldBroadcast[]>> {
  const tripped = buckets.flatMap(({ senderDomain, status }) =>
    status === 'tripped' && senderDomain !== null ? [senderDomain] : []
  )
  if (tripped.length === 0) return new Map()
  const lines = (await api.readIfThere<readonly BroadcastLine[]>('/broadcasts', signal)) ?? []
  const found = new Map<string, HeldBroadcast[]>()
  for (const domain of tripped) {
    const own = lines.filter(
      ({ status, pauseReason }) => status === 'paused' && pauseReason?.by === pauseName(domain)
    )
    found.set(domain, await Promise.all(own.slice(0, MOST).map((line) => count(api, line))))
  }
  return found
}

async function count(api: HealthApi, { slug, name }: BroadcastLine): Promise<HeldBroadcast> {
  const ask = (body: object) =>
    api.act<Count>('POST', `/broadcasts/${encodeURIComponent(slug)}/segment/count`, body)
  const [all, safe] = await Promise.all([ask({}), ask(NEVER_MAILED)])
  const sum = ({ recipientCount, heldSends }: Count) => recipientCount + heldSends
  return { slug, name, held: sum(all), risky: Math.max(0, sum(all) - sum(safe)) }
}

/** The mails of several broadcasts. Pure. */
export const sumOf = (broadcasts: readonly HeldBroadcast[]) => ({
  held: broadcasts.reduce((all, { held }) => all + held, 0),
  risky: broadcasts.reduce((all, { risky }) => all + risky, 0)
})

/**
 * Asks, leaves the risky addresses out of each broadcast, and then resumes the domain: in this order, so that
 * none of them is mailed. False: the domain was not resumed.
 */
export async function leaveOutAndResume(
  page: KeelsonPage,
  api: HealthApi,
  { bucket, broadcasts }: { readonly bucket: Bucket; readonly broadcasts: readonly HeldBroadcast[] }
): Promise<boolean> {
  const { held, risky } = sumOf(broadcasts)
  const rest = held - risky + (bucket.held ?? 0)
  const name = bucket.senderDomain ?? ''
  const number = (value: number) => page.format.number(value)
  const isSure = await page.confirm({
    heading: page.t('health.leaveOutAsk', { name }),
    text: page.t('health.leaveOutText', { risky: number(risky), rest: number(rest) }),
    action: page.t('health.leaveOut', { risky: number(risky) })
  })
  if (!isSure) return false
  const isDone = await api.attempt(async () => {
    for (const one of broadcasts) {
      const confirmedCount = one.held - one.risky
      const path = `/broadcasts/${encodeURIComponent(one.slug)}/resume`
      if (one.risky > 0) await api.act('POST', path, { confirmedCount, ...NEVER_MAILED })
    }
    const { senderDomain, kind } = bucket
    await api.act('POST', '/health/resume', { senderDomain, kind })
  })
  if (isDone) page.toast({ text: page.t('health.resumed', { name }), tone: 'good' })
  return isDone
}
