// A store with alerts on a new database, a clock that moves, and the receiver of its webhooks.
import { testDatabase } from '@keelson/sdk/testing'
import { MockAgent } from 'undici'
import type { AlertMailer } from '../alerts/alert-mail.ts'
import type { AlertViewer } from '../alerts/types.ts'
import { type AlertOptions, openTelemetry } from '../create-telemetry.ts'
import { runAlerts } from './run-alerts.ts'
import { SAMPLE_SPEC } from './sample-registry.ts'

export const ADMIN: AlertViewer = { tenantId: 'acme', role: 'admin', viewerRef: 'user:boss' }

interface Call {
  readonly url: string
  readonly headers: Record<string, string>
  readonly body: Record<string, unknown>
}

/** The hook at hooks.example answers 204 when `answers` is empty; a status of 0 means that the call fails. */
export async function openAlerts(
  t: Parameters<typeof testDatabase>[0],
  mailer?: AlertMailer,
  more: AlertOptions = {}
) {
  const { db } = await testDatabase(t)
  // Of today: what is kept for a year would expire in the middle of a test one day.
  let at = Date.parse(`${new Date().toISOString().slice(0, 10)}T10:20:00Z`)
  const calls: Call[] = []
  const answers: { status: number; retryAfter?: string }[] = []
  let taken = 0
  const outboundMock = new MockAgent()
  outboundMock.disableNetConnect()
  t.teardown(() => outboundMock.close())
  outboundMock
    .get('https://hooks.example')
    .intercept({ path: () => true, method: 'POST' })
    .reply(({ path, headers, body }) => {
      calls.push({
        url: `https://hooks.example${path}`,
        headers: Object.fromEntries(new Headers(headers as Record<string, string>)),
        body: JSON.parse(String(body)) as Record<string, unknown>
      })
      const { status, retryAfter } = answers.shift() ?? { status: 204 }
      if (status === 0) throw new Error('no route')
      if (status === 204) taken++
      const more = retryAfter === undefined ? {} : { headers: { 'retry-after': retryAfter } }
      return { statusCode: status, responseOptions: more }
    })
    .persist()
  const opened = openTelemetry(
    {
      registry: SAMPLE_SPEC,
      connection: db,
      pepper: 'p',
      clock: { now: () => new Date(at) },
      alerts: { webhookHosts: ['hooks.example'], mailer: () => mailer, ...more }
    },
    { outboundMock }
  )
  const { telemetry } = opened
  /** A minute of the host: how many rules were evaluated, and how many webhooks were taken. */
  const run = async () => {
    taken = 0
    const evaluated = await runAlerts(opened)
    return { evaluated, sent: taken }
  }
  await telemetry.syncIndexes()
  t.teardown(() => telemetry.close())
  const view = async (count: number, minutesAgo: number, tenantId = 'acme', subject = 'u1') => {
    for (let n = 0; n < count; n++) {
      await telemetry.emit('page.viewed', {
        tenantId,
        occurredAt: new Date(at - minutesAgo * 60_000),
        subjects: [{ type: 'user', id: subject }],
        attrs: { source: 'a' },
        metrics: { load_ms: 10 * (n + 1) }
      })
    }
    await telemetry.flush()
  }
  const { alerts } = telemetry
  return {
    host: opened.host,
    telemetry,
    alerts,
    run,
    calls,
    answers,
    view,
    advance: (ms: number) => {
      at += ms
    },
    now: () => at,
    stateOf: async (id: string) =>
      (await alerts.list(ADMIN)).rules.find((rule) => rule.id === id)?.state
  }
}
