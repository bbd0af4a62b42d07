// The mailbox on a test host: mail that comes in by SMTP, and who may read it.
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createTestHost } from '@keelson/sdk/testing'
import nodemailer from 'nodemailer'
import { type Test, test } from 'tap'
import mailbox from '../index.ts'
import type { Messages } from '../schemas.ts'

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { readonly port: number }
  server.close()
  await once(server, 'close')
  return port
}

async function open(t: Test) {
  const port = await freePort()
  const host = await createTestHost({ plugin: mailbox, config: { port } })
  t.teardown(() => host.close())
  const sender = nodemailer.createTransport({ host: '127.0.0.1', port, secure: false })
  t.teardown(() => sender.close())
  const read = async (query = ''): Promise<Messages> =>
    (await host.app.inject(`/dev/mailbox/messages${query}`)).json()
  return { host, sender, read }
}

const mail = {
  from: 'Acme <hello@acme.test>',
  to: 'User1@example.test',
  subject: 'Grüße',
  text: 'Plain words',
  html: '<p>Rich words</p>',
  headers: { 'List-Unsubscribe': '<https://acme.test/leave>' }
}

test('a mail that comes in is listed with its parts, headers and source', async (t) => {
  const { sender, read } = await open(t)
  await sender.sendMail(mail)
  const { messages, total } = await read()
  t.equal(total, 1)
  t.match(messages, [
    {
      from: /hello@acme\.test/,
      to: ['user1@example.test'],
      subject: 'Grüße',
      text: /Plain words/,
      html: '<p>Rich words</p>',
      headers: { 'list-unsubscribe': '<https://acme.test/leave>' },
      raw: /multipart\/alternative/
    }
  ])
})

test('mails are found by recipient, whatever the case, newest first', async (t) => {
  const { sender, read } = await open(t)
  await sender.sendMail(mail)
  await sender.sendMail({ ...mail, subject: 'Second' })
  await sender.sendMail({ ...mail, to: 'other@example.test' })
  const { messages, total } = await read('?to=USER1@example.test&limit=1')
  t.equal(total, 2)
  t.match(messages, [{ subject: 'Second' }])
})

test('a mail is shown with its own styles, runs nothing, and opens links beside', async (t) => {
  const { host, sender, read } = await open(t)
  const html = '<html><head><title>x</title></head><body style="color:red">Hi</body></html>'
  await sender.sendMail({ ...mail, html })
  const id = (await read()).messages[0]?.id
  const shown = await host.app.inject(`/dev/mailbox/messages/${id}/html`)
  t.match(shown.headers['content-security-policy'], /style-src 'unsafe-inline'.*; sandbox allow-p/)
  t.notMatch(shown.headers['content-security-policy'], /allow-scripts|script-src/)
  t.match(shown.body, /<head><base target="_blank">/)
  t.equal((await host.app.inject('/dev/mailbox/messages/none/html')).statusCode, 404)
  const other = { url: `/dev/mailbox/messages/${id}/html`, remoteAddress: '192.0.2.1' }
  t.equal((await host.app.inject(other)).statusCode, 403)
})

test('the mailbox can be emptied', async (t) => {
  const { host, sender, read } = await open(t)
  await sender.sendMail(mail)
  const { statusCode } = await host.app.inject({ method: 'DELETE', url: '/dev/mailbox/messages' })
  t.equal(statusCode, 204)
  t.same(await read(), { messages: [], total: 0 })
})

test('people at other machines do not read mail', async (t) => {
  const { host } = await open(t)
  const remoteAddress = '203.0.113.7'
  for (const method of ['GET', 'DELETE'] as const) {
    const { statusCode } = await host.app.inject({
      method,
      url: '/dev/mailbox/messages',
      remoteAddress
    })
    t.equal(statusCode, 403)
  }
})

test('behind a proxy or under a foreign name a request does not count as from this machine', async (t) => {
  const { host, sender, read } = await open(t)
  await sender.sendMail(mail)
  const id = (await read()).messages[0]?.id
  const behind: readonly Record<string, string>[] = [
    { 'x-forwarded-for': '203.0.113.9' },
    { 'x-forwarded-for': '127.0.0.1' },
    { forwarded: 'for=127.0.0.1' },
    { host: 'evil.test:3000' }
  ]
  const all = [
    ['GET', '/dev/mailbox/messages'],
    ['GET', `/dev/mailbox/messages/${id}/html`],
    ['DELETE', '/dev/mailbox/messages']
  ] as const
  for (const [method, url] of all) {
    for (const headers of behind) {
      const { statusCode } = await host.app.inject({ method, url, headers })
      t.equal(statusCode, 403, `${method} ${url} ${JSON.stringify(headers)}`)
    }
  }
  const headers = { origin: 'https://evil.test' }
  const url = '/dev/mailbox/messages'
  t.equal((await host.app.inject({ method: 'DELETE', url, headers })).statusCode, 403)
  t.equal((await read()).total, 1)
})

test('an address that has no mailbox is refused, until others are named', async (t) => {
  const { host, sender, read } = await open(t)
  host.signIn({ tenantId: 'acme', role: 'admin', viewerRef: 'user:a' })
  const refuse = async (addresses: readonly string[]) => {
    const url = '/dev/mailbox/unknown-addresses'
    const reply = await host.app.inject({ method: 'PUT', url, payload: { addresses } })
    t.equal(reply.statusCode, 204)
  }
  await refuse(['USER1@example.test'])
  await t.rejects(sender.sendMail(mail), { message: /550 5\.1\.1/ })
  t.equal((await read()).total, 0)
  await refuse([])
  await sender.sendMail(mail)
  t.equal((await read()).total, 1)
})

test('mails are kept for seven days by the clock of the host', async (t) => {
  const { host, sender, read } = await open(t)
  await sender.sendMail(mail)
  await host.clock.advance(6 * 86_400_000)
  await sender.sendMail({ ...mail, subject: 'Second' })
  t.equal((await read()).total, 2)
  await host.clock.skip(2 * 86_400_000)
  t.match(await read(), { total: 1, messages: [{ subject: 'Second' }] })
})
