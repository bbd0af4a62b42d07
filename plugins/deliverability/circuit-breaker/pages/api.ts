// What the pages read: the mailer's admin API, where other plugins may be missing.
import type { Static } from '@keelson/sdk'
import { type Api, apiOf, type KeelsonPage, RequestError } from '@keelson/ui'
import type { healthSchema } from '../operations/health-answers.ts'

/** Answer of `GET /health`. */
export type Health = Static<typeof healthSchema>
/** One sender domain and kind. */
export type Bucket = Health['buckets'][number]

/** A trip or a resume. */
export type Trip = NonNullable<Health['trips']>[number]

/** Calls of a page. */
export interface HealthApi extends Api {
  /** Null where no enabled plugin answers. */
  readIfThere<T>(path: string, signal: AbortSignal): Promise<T | null>
}

export function healthApi(page: KeelsonPage): HealthApi {
  const api = apiOf(page, { at: '/admin/mailer/api' })
  return {
    ...api,
    async readIfThere<T>(path: string, signal: AbortSignal) {
      try {
        return await api.read<T>(path, signal)
      } catch (error) {
        if (error instanceof RequestError && error.status === 404) return null
        throw error
      }
    }
  }
}

/** Asks, resumes a bucket with `held` mails, and says so. False: it was not resumed. */
export async function resumeBucket(
  page: KeelsonPage,
  { senderDomain, kind }: Pick<Bucket, 'senderDomain' | 'kind'>,
  held = 0
): Promise<boolean> {
  const name = senderDomain ?? page.t('health.noDomain')
  const isSure = await page.confirm({
    heading: page.t('health.resumeAsk', { name }),
    text:
      held === 0
        ? page.t('health.resumeText')
        : `${page.t('health.heldText', { count: held })} ${page.t('health.resumeText')}`,
    action: page.t('health.resume')
  })
  if (!isSure) return false
  const api = healthApi(page)
  const isDone = await api.attempt(() => api.act('POST', '/health/resume', { senderDomain, kind }))
  if (isDone) page.toast({ text: page.t('health.resumed', { name }), tone: 'good' })
  return isDone
}
