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

/** A first request with a fresh key, to be pasted into a terminal. */
export function exampleRequest(address: string, key: string): string {
  return `curl ${address} -H 'authorization: Bearer ${key}' -H 'content-type: application/json' -d '{"records":[]}'`
}
