// Pages that failed in a browser, as browsers report them to this process: the latest of them, for an hour.
import type { Clock, FailingPage } from '@keelson/sdk'
import { reasonOf } from '@keelson/sdk/queue'
import type { FastifyBaseLogger } from 'fastify'

/** One failure of a page. */
export interface PageFailure {
  readonly plugin: string
  readonly page: string
  /** What happened, in words of a browser: anything may be in it. */
  readonly reason: string
}

export interface PageFailures {
  note(failure: PageFailure): void
  /** Of one plugin, the latest last. */
  list(plugin: string): FailingPage[]
}

export interface PageFailuresOptions {
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  redact(text: string): string
}

interface NotedFailure extends PageFailure {
  readonly count: number
  readonly since: Date
  readonly lastAt: Date
}

/** Different failures that are kept; each text has up to 500 characters. */
const MAX_KEPT = 100
const KEPT_MS = 3_600_000

export function createPageFailures({ clock, log, redact }: PageFailuresOptions): PageFailures {
  // In the order of the last report: the first entry is the oldest.
  const noted = new Map<string, NotedFailure>()
  const dropOld = () => {
    const before = clock.now().getTime() - KEPT_MS
    for (const [key, { lastAt }] of noted) {
      if (lastAt.getTime() >= before && noted.size <= MAX_KEPT) return
      noted.delete(key)
    }
  }
  return {
    note({ plugin, page, reason: text }) {
      const reason = redact(reasonOf(onOneLine(text)))
      const key = JSON.stringify([plugin, page, reason])
      const lastAt = clock.now()
      const { count = 0, since = lastAt } = noted.get(key) ?? {}
      if (count === 0) log.warn({ plugin, page, reason }, 'a page failed in a browser')
      noted.delete(key)
      noted.set(key, { plugin, page, reason, count: count + 1, since, lastAt })
      dropOld()
    },
    list(plugin) {
      dropOld()
      return [...noted.values()]
        .filter((failure) => failure.plugin === plugin)
        .map(({ page, reason, count, since, lastAt }) => ({
          page,
          reason,
          count,
          since: since.toISOString(),
          lastAt: lastAt.toISOString()
        }))
    }
  }
}

/** A browser may send anything: nothing of it must look like another line of a log. */
const onOneLine = (text: string) => text.replace(/\p{Cc}+/gu, ' ').trim()
