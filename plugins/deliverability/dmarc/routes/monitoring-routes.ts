// Monitoring: settings, alerts and DNS checks.
import { type TSchema, Type } from '@keelson/sdk'
import { type AdminRoute, adminRoute } from '@keelson/sdk/contracts/mailer-admin-api'
import { readDomain } from '../aggregate/read-values.ts'
import { checkDns, type DnsContext } from '../monitoring/check-dns.ts'
import { deliver } from '../monitoring/deliver-alerts.ts'
import { evaluateAlerts } from '../monitoring/evaluate-alerts.ts'
import { monitoringSchema } from '../monitoring/monitoring-schema.ts'
import { changeMonitoring, readMonitoring, resetMonitoring } from '../monitoring/settings.ts'
import type { AlertRow, DnsCheckRow } from '../storage/rows.ts'
import {
  checksSchema,
  deliverySchema,
  evaluatedSchema,
  monitoringAnswer,
  settingsAnswer
} from './monitoring-schemas.ts'

const LISTED = 200

/** Any of the settings, none with a default. */
const changeSchema = Type.Object(
  Object.fromEntries(
    Object.entries(monitoringSchema.properties).map(([name, property]) => {
      const { default: _, ...rest } = property as TSchema & { readonly default?: unknown }
      return [name, Type.Optional(Type.Unsafe(rest))]
    })
  ),
  { additionalProperties: false, minProperties: 1 }
)

/** Prepares the routes. */
export function monitoringRoutes(context: DnsContext): AdminRoute[] {
  return [
    adminRoute({
      method: 'GET',
      path: '/dmarc/monitoring',
      summary: 'Settings of monitoring, alerts and the newest DNS checks.',
      schema: { response: { 200: monitoringAnswer } },
      async handler() {
        const { alerts, dnsChecks } = context.collections
        const [settings, rows, checks] = await Promise.all([
          readMonitoring(context),
          alerts.find().sort({ updatedAt: -1 }).limit(LISTED).toArray(),
          dnsChecks.find().limit(LISTED).toArray()
        ])
        const isDnsOff = context.servers === null
        const body = { ...settings, isDnsOff, alerts: rows.map(alertView) }
        return { body: { ...body, dnsChecks: checks.map(checkView) } }
      }
    }),
    ...settingsRoutes(context),
    ...actionRoutes(context)
  ]
}

function settingsRoutes(context: DnsContext): AdminRoute[] {
  const answer = async () => ({ body: { ok: true, ...(await readMonitoring(context)) } })
  const resource = { collection: 'dmarc_settings', id: 'monitoring' }
  return [
    adminRoute({
      method: 'PUT',
      path: '/dmarc/settings',
      summary: 'Changes settings of monitoring. Those that are left out stay.',
      permission: 'publish',
      schema: { body: changeSchema, response: { 200: settingsAnswer } },
      async handler({ body, audit }) {
        // The schema is made of that of the settings.
        const before = await changeMonitoring(context, body as Record<string, never>)
        await audit({ action: 'dmarc.settings.update', resource, before, after: body })
        return answer()
      }
    }),
    adminRoute({
      method: 'DELETE',
      path: '/dmarc/settings',
      summary: 'Resets monitoring to the config.',
      permission: 'publish',
      schema: { response: { 200: settingsAnswer } },
      async handler({ audit }) {
        const before = await resetMonitoring(context)
        await audit({ action: 'dmarc.settings.reset', resource, before })
        return answer()
      }
    })
  ]
}

function actionRoutes(context: DnsContext): AdminRoute[] {
  return [
    adminRoute({
      method: 'POST',
      path: '/dmarc/dns/check',
      summary: 'Checks the DNS records of one domain, or of all that are monitored and due, now.',
      permission: 'publish',
      schema: {
        body: Type.Object(
          { domain: Type.Optional(Type.String({ maxLength: 253 })) },
          { additionalProperties: false }
        ),
        response: { 200: checksSchema }
      },
      async handler({ body, signal, audit }) {
        if (context.servers === null) {
          return { body: { ran: false, reason: 'disabled', checks: [] } }
        }
        const domain = body.domain === undefined ? undefined : readDomain(body.domain)
        if (domain === null) return BAD_DOMAIN
        const checks = await checkDns(context, signal, domain === undefined ? undefined : [domain])
        await audit({
          action: 'dmarc.dns.check',
          resource: { collection: 'dmarc_dns_checks', ...(domain !== undefined && { id: domain }) },
          after: checks.map(({ _id, findings }) => ({
            _id,
            codes: findings.map(({ code }) => code)
          }))
        })
        return { body: { ran: true, checks: checks.map(checkView) } }
      }
    }),
    adminRoute({
      method: 'POST',
      path: '/dmarc/alerts/evaluate',
      summary: 'Evaluates all alerts now.',
      permission: 'publish',
      schema: { response: { 200: evaluatedSchema } },
      handler: async () => ({ body: { fired: await evaluateAlerts(context, context.mailer) } })
    }),
    adminRoute({
      method: 'POST',
      path: '/dmarc/alerts/test',
      summary: 'Sends a test alert by mail and webhook.',
      permission: 'publish',
      schema: { response: { 200: deliverySchema } },
      handler: async ({ now, signal }) => ({ body: await deliver(context, testAlert(now), signal) })
    })
  ]
}

const BAD_DOMAIN = {
  status: 400,
  body: { error: 'validation_failed', message: 'domain must be a domain.' }
}

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
