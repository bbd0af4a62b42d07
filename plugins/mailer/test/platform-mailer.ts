// A platform with the mailer, contacts in memory and plugins that a test gives.
import { definePlugin, type Host, type KeelsonPlugin, systemActor, type Viewer } from '@keelson/sdk'
import { createTestHost, type TestHost, type TestHostOptions } from '@keelson/sdk/testing'
import { createMemoryAdapter } from '../audience/contacts/memory-adapter.ts'
import { mailerContacts } from '../contracts/mailer-contacts.ts'
import type { ActingMailer, MailContact, MailerCore } from '../contracts/mailer-core.ts'
import { type MailerHandle, mailerHandle } from '../host/handle.ts'
import mailerPlugin from '../plugin.ts'

export const ACME: Viewer = {
  tenantId: 'acme',
  role: 'admin',
  viewerRef: 'user:a',
  email: 'a@acme.test'
}
export const CONFIG = {
  publicUrl: 'https://mail.example.test',
  unsubscribeSecret: 'the secret of a test',
  fromDefaults: { name: 'Acme', email: 'hello@acme.test' },
  adminTenants: ['acme'],
  providers: { null: {} }
}

const person: MailContact = { externalId: 'c1', email: 'c1@example.test', tags: [], fields: {} }

/** A plugin beside the mailer, which it may use. */
export const around = (
  id: string,
  uses: readonly string[],
  register: (host: Host, mailer: MailerHandle) => void
): KeelsonPlugin =>
  definePlugin({
    manifest: {
      manifestVersion: 1,
      id,
      name: id,
      version: '1.0.0',
      kernel: '*',
      description: 'Beside the mailer.',
      license: 'MIT',
      uses: ['mailer.core/v1', ...uses]
    },
    register: (host) => register(host, host.use(mailerHandle))
  })

/** Closes after the mailer: `onClosed` sees what the mailer left. */
const contacts = (
  onClosed: () => Promise<void> | void,
  people: readonly MailContact[] = [person]
) =>
  definePlugin({
    manifest: {
      manifestVersion: 1,
      id: 'people',
      name: 'People',
      version: '1.0.0',
      kernel: '*',
      description: 'Has contacts.',
      license: 'MIT',
      provides: ['mailer.contacts/v1']
    },
    register(host) {
      host.provide(mailerContacts, createMemoryAdapter(people))
      host.onClose(onClosed)
    }
  })

/** A running platform with the mailer. */
export interface PlatformMailer extends TestHost {
  readonly mailer: MailerHandle
  /** What a test sets up by the mailer, as a plugin does for itself. */
  readonly acts: ActingMailer
  /** Calls the admin API as `viewer` (default: an administrator of acme). */
  admin(
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    payload?: object
    // biome-ignore lint/suspicious/noExplicitAny: a reply of any shape, looked at by assertions
  ): Promise<{ readonly status: number; readonly body: any }>
}

/** What a test may set. */
export interface PlatformOptions extends Partial<TestHostOptions> {
  /** Default true. */
  readonly withContacts?: boolean
  /** Default: `c1`. */
  readonly people?: readonly MailContact[]
  /** Called when the mailer is closed and the database is not. */
  readonly onClosed?: (host: TestHost) => Promise<void>
}

/** Starts it. */
export async function platformMailer(
  t: { teardown(end: () => Promise<void>): void },
  { plugins = [], config, withContacts = true, people, onClosed, ...options }: PlatformOptions = {}
): Promise<PlatformMailer> {
  const found: { mailer?: MailerHandle } = {}
  const watching = around('watching', [], (_host, mailer) => {
    found.mailer = mailer
  })
  const closed = async () => onClosed?.(host)
  const host: TestHost = await createTestHost({
    plugin: mailerPlugin,
    plugins: [...(withContacts ? [contacts(closed, people)] : []), watching, ...plugins],
    config: { ...CONFIG, ...config },
    viewer: ACME,
    ...options
  })
  t.teardown(() => host.close())
  const mailer = found.mailer as MailerHandle
  return {
    ...host,
    mailer,
    acts: mailer.as(systemActor('test')),
    async admin(method, path, payload) {
      const url = `/admin/mailer/api${path}`
      const reply = await host.app.inject({ method, url, ...(payload && { payload }) })
      return { status: reply.statusCode, body: reply.body === '' ? undefined : reply.json() }
    }
  }
}

/** Makes and publishes a template. */
export async function publish(
  { admin }: Pick<PlatformMailer, 'admin'>,
  template: { readonly slug: string; readonly kind: MailKindName }
): Promise<void> {
  const { slug } = template
  const made = await admin('POST', '/templates', { ...template, name: slug })
  const html = '<p>Hello</p>'
  const drafted = await admin('PATCH', `/templates/${slug}/draft`, { subject: 'Hello', html })
  const published = await admin('POST', `/templates/${slug}/publish`)
  const statuses = [made.status, drafted.status, published.status]
  if (statuses.some((status) => status >= 300)) {
    throw new Error(`not published: ${JSON.stringify([made, drafted, published])}`)
  }
}

type MailKindName = 'marketing' | 'transactional'

/** Sends one mail, and moves the clock until it is handed over or held. */
export async function sendOne(
  { acts, clock }: Pick<PlatformMailer, 'acts' | 'clock'>,
  templateSlug: string
): Promise<string> {
  const { sendId } = await acts.sendOneOff({
    templateSlug,
    externalId: 'c1',
    dedupeKey: `one ${templateSlug}`
  })
  await clock.advance(1000)
  return sendId
}
