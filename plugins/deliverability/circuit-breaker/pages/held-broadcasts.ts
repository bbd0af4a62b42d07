// Broadcasts that a tripped domain holds: how many mails wait, and how many go to addresses never mailed before.
import type { KeelsonPage } from '@keelson/ui'
import type { Bucket, HealthApi } from './api.ts'

/** A broadcast that waits for the resume of its domain. */
export type HeldBroadcast = NonNullable<Bucket['broadcasts']>[number]

const NEVER_MAILED = { leaveOut: 'never_mailed' } as const

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
    text: page.t('health.leaveOutText', { count: risky, rest: number(rest) }),
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
