// What the form for a new key says, as the API wants it.

export interface KeyForm {
  get(name: string): unknown
}

const words = (value: unknown): string[] =>
  String(value ?? '')
    .split(/[\s,]+/)
    .filter((word) => word !== '')

/** The body of the request; `scope` is the viewer's tenant, `*` for the platform's. */
export function keyRequest(form: KeyForm, scope: string): Readonly<Record<string, unknown>> {
  const text = (name: string) => String(form.get(name) ?? '').trim()
  const kind = text('kind') || 'secret'
  const tenantMode = text('tenantMode') || 'fixed'
  const tenantId = scope === '*' ? text('tenantId') : scope
  const origins = words(form.get('origins'))
  const rate = Number(text('maxPerMinute'))
  return {
    ...(text('label') !== '' && { label: text('label') }),
    kind,
    tenantMode,
    ...(tenantMode === 'fixed' && { tenantId }),
    service: text('service'),
    env: text('env') || 'prod',
    ...(kind === 'publishable' && origins.length > 0 && { origins }),
    ...(Number.isSafeInteger(rate) && rate > 0 && { maxPerMinute: rate })
  }
}

/** An OTLP log record: unlike other names, `otlp.log` is in every registry. */
const HELLO = '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"Hello"}}]}]}]}'

/**
 * What a fresh key is first used for: a log record from a terminal, which Events then shows. A publishable key is
 * for pages: their client.
 */
export function firstUse(ingest: string, key: string): string {
  return key.startsWith('pk_')
    ? `import { createWebTelemetry } from '@keelson/telemetry/web'\n\ncreateWebTelemetry({ url: '${ingest}', key: '${key}' })`
    : `curl ${ingest}/v1/logs -H 'authorization: Bearer ${key}' -H 'content-type: application/json' -d '${HELLO}'`
}
