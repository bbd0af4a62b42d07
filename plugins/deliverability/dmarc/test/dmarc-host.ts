// A host with the plugin and a stand-in for the mailer, and the calls that its tests make.

import { createMailerStandIn, type MailerStandInOptions } from '@keelson/mailer/testing'
import type { KeelsonPlugin } from '@keelson/sdk'
import { createTestHost } from '@keelson/sdk/testing'
import type { Test } from 'tap'
import plugin from '../plugin.ts'
import { openCollections } from '../storage/collections.ts'

export const NOW = new Date('2026-11-23T12:00:00Z')
export const SECRET = 'inbound-secret'

export interface DmarcHostOptions extends MailerStandInOptions {
  readonly config?: Readonly<Record<string, unknown>>
  /** Plugins beside this one and the mailer. */
  readonly plugins?: readonly KeelsonPlugin[]
}

/** Starts it, signed in as an admin, at a fixed time. */
export async function openDmarc(t: Test, options: DmarcHostOptions = {}) {
  const { config = { inbound: { secret: SECRET } }, plugins = [], ...given } = options
  const mailer = createMailerStandIn({
    senderDomains: [{ domain: 'mail.acme.test', kind: 'both' }],
    ...given
  })
  const viewer = { tenantId: 'acme', role: 'admin', viewerRef: 'user:ada' }
  const host = await createTestHost({
    plugin,
    plugins: [mailer.plugin, ...plugins],
    viewer,
    config: { adminTenants: ['acme'], ...config },
    now: NOW
  })
  t.teardown(() => host.close())
  const send = async (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    { payload, headers = {} }: { payload?: Buffer | object; headers?: Record<string, string> } = {}
  ) => {
    const sent = payload === undefined ? {} : { payload }
    const answer = await host.app.inject({ method, url, headers, ...sent })
    return { status: answer.statusCode, json: answer.body === '' ? null : answer.json() }
  }
  const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, payload?: object) =>
    send(method, `/admin/mailer/api/dmarc${path}`, payload === undefined ? {} : { payload })
  const upload = (content: string | Buffer, filename = 'report.xml', field = 'file') => {
    const form = formOf([{ field, filename, content }])
    return send('POST', '/admin/mailer/api/dmarc/upload', form)
  }
  const inbound = (
    parts: readonly FormPart[],
    headers: Record<string, string> = { authorization: `Bearer ${SECRET}` }
  ) => {
    const form = formOf(parts)
    const sent = { payload: form.payload, headers: { ...form.headers, ...headers } }
    return send('POST', '/m/inbound/dmarc', sent)
  }
  const overview = async () => (await call('GET', '')).json
  const domain = async (name = 'acme.test') =>
    (await overview()).domains.find((one: { domain: string }) => one.domain === name)
  // What the tests look at and prepare behind the plugin's back.
  const collections = openCollections({ collection: (name) => host.db.collection(name) as never })
  return { host, mailer, call, upload, inbound, overview, domain, collections }
}

/** A part of a form: a file when it has a name. */
export interface FormPart {
  readonly field: string
  readonly filename?: string
  readonly type?: string
  readonly content: string | Buffer
}

/** A multipart form. */
export function formOf(parts: readonly FormPart[]) {
  const bytes = parts.flatMap(({ field, filename, type, content }) => {
    const file = filename === undefined ? '' : `; filename="${filename}"`
    const kind = type === undefined ? '' : `Content-Type: ${type}\r\n`
    const head = `--form\r\nContent-Disposition: form-data; name="${field}"${file}\r\n${kind}\r\n`
    return [Buffer.from(head), Buffer.from(content), Buffer.from('\r\n')]
  })
  return {
    payload: Buffer.concat([...bytes, Buffer.from('--form--\r\n')]),
    headers: { 'content-type': 'multipart/form-data; boundary=form' }
  }
}
