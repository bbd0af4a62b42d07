// The admin API of a test mailer on a plain Fastify app.

import Fastify from 'fastify'
import type { Test } from 'tap'
import { createMailerAdmin, type MailerAdminOptions } from '../admin/admin-router.ts'
import type { MailContact } from '../contracts/mailer-core.ts'
import type { MailerConfig } from '../ledger/schema.ts'
import { createTestMailer } from '../testing/create-test-mailer.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** The contact of the host, unless a test names others. */
export const contact = { externalId: 'c1', email: 'c1@example.test', tags: [], fields: {} }

/** Opens it; `call` answers status, parsed body and headers. */
export async function openAdmin(
  t: Test,
  options: MailerAdminOptions = { getActor: () => 'human:check' },
  seedContacts: readonly MailContact[] = [contact],
  config: Partial<MailerConfig> = {}
) {
  const kit = await createTestMailer({ seedContacts, config })
  t.teardown(() => kit.stop())
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(createMailerAdmin(kit.mailer, options), { prefix: '/admin/mailer' })
  const call = async (method: Method, path: string, payload?: object, headers = {}) => {
    const url = `/admin/mailer/api${path}`
    const reply = await app.inject({ method, url, headers, ...(payload && { payload }) })
    return { status: reply.statusCode, body: reply.json(), headers: reply.headers }
  }
  return { ...kit, app, call }
}
