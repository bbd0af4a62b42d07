// A test mailer with programs beside it, and the admin API of both.
import {
  createMailerAdmin,
  createTestMailer,
  type MailerAdminOptions,
  type TestMailerOptions
} from '@keelson/mailer'
import Fastify from 'fastify'
import type { Test } from 'tap'

/** What a test may set. */
export interface ProgramsBenchOptions extends TestMailerOptions {
  readonly admin?: MailerAdminOptions
}

/** Opens it; `call` answers status, parsed body and headers of the admin API. */
export async function openPrograms(t: Test, { admin, ...options }: ProgramsBenchOptions = {}) {
  const kit = await createTestMailer(options)
  t.teardown(() => kit.stop())
  const app = Fastify()
  t.teardown(() => app.close())
  const whole = { getActor: () => 'human:ada', ...admin }
  await app.register(createMailerAdmin(kit.mailer, whole), { prefix: '/admin/mailer' })
  const call = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) => {
    const url = `/admin/mailer/api${path}`
    const reply = await app.inject({ method, url, ...(body && { payload: body }) })
    return { status: reply.statusCode, body: reply.json(), headers: reply.headers }
  }
  /** Makes and publishes a template. */
  const publish = async (slug: string, kind: 'marketing' | 'transactional') => {
    await call('POST', '/templates', { slug, name: slug, kind })
    const html = '<p>Hi <a href="{{unsubscribeUrl}}">out</a></p>'
    await call('PATCH', `/templates/${slug}/draft`, { subject: 'Hi', html })
    const { status } = await call('POST', `/templates/${slug}/publish`)
    if (status !== 200) throw new Error(`the template ${slug} was not published`)
  }
  return { ...kit, call, publish }
}
