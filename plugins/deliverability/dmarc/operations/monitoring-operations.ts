// Monitoring: settings, alerts and DNS checks.

import { adminAccess, MAILER_ADMIN_API as base } from '@keelson/mailer/contracts'
import { type Call, type Operation, operation, type TSchema, Type } from '@keelson/sdk'
import { readDomain } from '../aggregate/read-values.ts'
import { type Monitoring, monitoringSchema } from '../config/monitoring-schema.ts'
import { checkDns, type DnsContext } from '../monitoring/check-dns.ts'
import { deliver } from '../monitoring/deliver-alerts.ts'
import { evaluateAlerts } from '../monitoring/evaluate-alerts.ts'
import { changeMonitoring, readMonitoring, resetMonitoring } from '../monitoring/settings.ts'
import type { AlertRow, DnsCheckRow } from '../storage/rows.ts'
import {
  checksSchema,
  deliverySchema,
  evaluatedSchema,
  monitoringAnswer,
  settingsAnswer
} from './monitoring-answers.ts'

const LISTED = 200

const read = operation({
  id: 'dmarc.monitoring.read',
  method: 'GET',
  base,
  path: '/dmarc/monitoring',
  summary: 'Settings of monitoring, alerts and the newest DNS checks',
  access: adminAccess.read,
  agent: true,
  effect: 'read',
  answer: monitoringAnswer,
  async run(_input, { host }: Call<DnsContext>) {
    const { alerts, dnsChecks } = host.collections
    const [settings, rows, checks] = await Promise.all([
      readMonitoring(host),
      alerts.find().sort({ updatedAt: -1 }).limit(LISTED).toArray(),
      dnsChecks.find().limit(LISTED).toArray()
    ])
    return {
      ...settings,
      isDnsOff: host.servers === null,
      alerts: rows.map(alertView),
      dnsChecks: checks.map(checkView)
    }
  }
})

/** Any of the settings, none with a default. */
const changeSchema = Type.Unsafe<Partial<Monitoring>>(
  Type.Object(
    Object.fromEntries(
      Object.entries(monitoringSchema.properties).map(([name, property]) => {
        const { default: _, ...rest } = property as TSchema & { readonly default?: unknown }
        return [name, Type.Optional(Type.Unsafe(rest))]
      })
    ),
    { additionalProperties: false, minProperties: 1 }
  )
)
const settingsResource = { collection: 'dmarc_settings', id: 'monitoring' }

const change = operation({
  id: 'dmarc.settings.change',
  method: 'PUT',
  base,
  path: '/dmarc/settings',
  summary: 'Changes settings of monitoring. Those that are left out stay',
  access: adminAccess.publish,
  agent: true,
  effect: 'change',
  hints: { idempotent: true },
  body: changeSchema,
  answer: settingsAnswer,
  async run({ body }, { host, actor }: Call<DnsContext>) {
    const before = await changeMonitoring(host, body)
    const action = 'dmarc.settings.update'
    await host.mailer.as(actor).audit({ action, resource: settingsResource, before, after: body })
    return { ok: true as const, ...(await readMonitoring(host)) }
  }
})

const reset = operation({
  id: 'dmarc.settings.reset',
  method: 'DELETE',
  base,
  path: '/dmarc/settings',
  summary: 'Resets monitoring to the config',
  access: adminAccess.publish,
  agent: true,
  effect: 'change',
  hints: { idempotent: true, destructive: true },
  answer: settingsAnswer,
  async run(_input, { host, actor }: Call<DnsContext>) {
    const before = await resetMonitoring(host)
    const action = 'dmarc.settings.reset'
    await host.mailer.as(actor).audit({ action, resource: settingsResource, before })
    return { ok: true as const, ...(await readMonitoring(host)) }
  }
})

const domainSchema = Type.Refine(
  Type.String({ maxLength: 253 }),
  (text) => readDomain(text) !== null,
  () => 'must be a domain'
)

const check = operation({
  id: 'dmarc.dns.check',
  method: 'POST',
  base,
  path: '/dmarc/dns/check',
  summary: 'Checks the DNS records of one domain, or of all that are monitored and due, now',
  access: adminAccess.publish,
  agent: true,
  effect: 'change',
  hints: { idempotent: true, long: true },
  body: Type.Object({ domain: Type.Optional(domainSchema) }, { additionalProperties: false }),
  answer: checksSchema,
  async run({ body }, { host, actor, signal }: Call<DnsContext>) {
    if (host.servers === null) return { ran: false, reason: 'disabled', checks: [] }
    const domain = readDomain(body.domain)
    const checks = await checkDns(host, signal, domain === null ? undefined : [domain])
    await host.mailer.as(actor).audit({
      action: 'dmarc.dns.check',
      resource: { collection: 'dmarc_dns_checks', ...(domain !== null && { id: domain }) },
      after: checks.map(({ _id, findings }) => ({ _id, codes: findings.map(({ code }) => code) }))
    })
    return { ran: true, checks: checks.map(checkView) }
  }
})

const evaluate = operation({
  id: 'dmarc.alerts.evaluate',
  method: 'POST',
  base,
  path: '/dmarc/alerts/evaluate',
  summary: 'Evaluates all alerts now',
  access: adminAccess.publish,
  agent: true,
  effect: 'change',
  hints: { idempotent: true },
  answer: evaluatedSchema,
  run: async (_input, { host }: Call<DnsContext>) => ({
    fired: await evaluateAlerts(host, host.mailer)
  })
})

const tryOut = operation({
  id: 'dmarc.alerts.test',
  method: 'POST',
  base,
  path: '/dmarc/alerts/test',
  summary: 'Sends a test alert by mail and webhook',
  access: adminAccess.publish,
  agent: true,
  effect: 'send',
  answer: deliverySchema,
  async run(_input, { host, actor }: Call<DnsContext>) {
    const context = { ...host, mailer: host.mailer.as(actor) }
    const { again: _again, ...delivery } = await deliver(context, testAlert(host.clock.now()))
    return delivery
  }
})

/** Monitoring. */
export const monitoringOperations: readonly Operation<DnsContext>[] = [
  read,
  change,
  reset,
  check,
  evaluate,
  tryOut
]

const testAlert = (now: Date): AlertRow => ({
  _id: `test|${now.toISOString()}`,
  kind: 'reports_stopped',
  domain: 'example.com',
  subject: '',
  severity: 'info',
  key: '',
  message: 'This is a test of the DMARC alerts.',
  state: 'open',
  revision: 1,
  openedAt: now,
  updatedAt: now,
  resolvedAt: null,
  firedAt: now,
  fireCount: 1
})

function alertView({ _id: id, revision, key, pending, lastDelivery, ...alert }: AlertRow) {
  return { id, ...alert, isPending: pending !== undefined, lastDelivery: lastDelivery ?? null }
}

function checkView({ _id: domain, ...check }: DnsCheckRow) {
  return { domain, ...check, reverse: check.reverse ?? [] }
}
