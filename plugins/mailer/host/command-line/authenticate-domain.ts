// Authenticates a sender domain at SendGrid: its CNAME records, and their validation.
import type { Published, RecordToPublish } from '@keelson/dmarc'
import { errors } from '../../errors.ts'
import type { SendgridCall } from './sendgrid-api.ts'

/** What became of a domain. */
export interface DomainResult {
  readonly domain: string
  readonly isValid: boolean
  readonly records: readonly (RecordToPublish | Published)[]
  /** Why SendGrid does not find the records. */
  readonly reasons: readonly string[]
}

export interface DomainSetup {
  readonly call: SendgridCall
  /** Publishes one record; undefined: the operator publishes. */
  readonly publish: ((record: RecordToPublish) => Promise<Published>) | undefined
  readonly pause: (milliseconds: number) => Promise<unknown>
}

interface StoredDomain {
  readonly id: number
  readonly domain: string
  readonly subdomain: string
  readonly valid: boolean
  readonly automatic_security?: boolean
  readonly dns: Readonly<Record<string, { readonly type: string; host: string; data: string }>>
}

interface Validation {
  readonly valid: boolean
  readonly validation_results?: Readonly<Record<string, { readonly reason?: string | null }>>
}

const PATH = '/whitelabel/domains'
const TRIES = 4
const PAUSE_MS = 5000

/** Writes nothing for a domain that is authenticated and published. @throws MLR_SENDGRID_SETUP */
export async function authenticateDomain(
  setup: DomainSetup,
  domain: string,
  subdomain: string
): Promise<DomainResult> {
  const { call, publish } = setup
  const query = new URLSearchParams({ domain, limit: '100' })
  const known = (await call<readonly StoredDomain[]>('GET', `${PATH}?${query}`)) ?? []
  const found = known.find((one) => one.domain === domain && one.subdomain === subdomain)
  const body = { domain, subdomain, automatic_security: true }
  const stored = found ?? (await call<StoredDomain>('POST', PATH, body))
  const records = recordsOf(stored)
  if (stored === undefined || records.length === 0) {
    throw errors.MLR_SENDGRID_SETUP({ problem: `it names no CNAME records for ${domain}` })
  }
  const published = []
  for (const record of publish ? records : []) published.push(await publish?.(record))
  const done = { domain, records: published.flatMap((one) => one ?? []) }
  const shown = publish ? done.records : records
  if (stored.valid) return { domain, isValid: true, records: shown, reasons: [] }
  // Before the operator has published the new records there is nothing to validate.
  if (!found && !publish) return { domain, isValid: false, records: shown, reasons: [] }
  return { domain, records: shown, ...(await validate(setup, stored.id)) }
}

/** New records take a moment to be seen. */
async function validate({ call, publish, pause }: DomainSetup, id: number) {
  for (let left = publish ? TRIES : 1; ; left--) {
    const answer = await call<Validation>('POST', `${PATH}/${id}/validate`)
    if (answer?.valid) return { isValid: true, reasons: [] }
    const results = Object.values(answer?.validation_results ?? {})
    if (left === 1) return { isValid: false, reasons: results.flatMap((one) => one.reason ?? []) }
    await pause(PAUSE_MS)
  }
}

function recordsOf(stored: StoredDomain | undefined): readonly RecordToPublish[] {
  return Object.values(stored?.dns ?? {})
    .filter(({ type }) => type.toLowerCase() === 'cname')
    .map(({ host, data }) => ({ name: host, type: 'CNAME', value: data }))
}
