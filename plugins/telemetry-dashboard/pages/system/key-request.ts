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

/** A valid tenant, to be replaced by the reader's. */
const SAMPLE_TENANT = 'my-tenant'

/** What records in pages. */
const WEB_CLIENT = { name: 'createWebTelemetry', module: '@keelson/telemetry/web' }

/** An OTLP log record: unlike other names, `otlp.log` is in every registry. */
const HELLO = '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"Hello"}}]}]}]}'

/**
 * What a fresh key is first used for: a log record from a terminal, which Events then shows. A publishable key is
 * for pages: their client. A claimed key needs the tenant with each request.
 */
export function firstUse(ingest: string, key: string, tenantMode = 'fixed'): string {
  if (key.startsWith('pk_')) {
    return `import { ${WEB_CLIENT.name} } from '${WEB_CLIENT.module}'\n\n${WEB_CLIENT.name}({ url: '${ingest}', key: '${key}' })`
  }
  const tenant = tenantMode === 'claimed' ? ` -H 'x-tenant-id: ${SAMPLE_TENANT}'` : ''
  return `curl ${ingest}/v1/logs -H 'authorization: Bearer ${key}'${tenant} -H 'content-type: application/json' -d '${HELLO}'`
}
