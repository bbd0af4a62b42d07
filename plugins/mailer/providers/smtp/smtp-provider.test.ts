// SMTP against a server that speaks it: TLS, authentication, what arrives, and which options are refused.
import { once } from 'node:events'
import type { Teardown } from '@keelson/sdk/testing'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { test } from 'tap'
import { CERTIFICATE, PRIVATE_KEY } from '../test/certificate.ts'
import { sampleFiles, sampleMail, sampleSend } from '../test/sample-mail.ts'
import { createSmtpProvider, type SmtpProviderOptions } from './smtp-provider.ts'
import { smtpServer } from './smtp-server-address.ts'

interface Received {
  readonly mail: ParsedMail
  readonly source: string
  readonly from: string
  readonly secure: boolean
  readonly user: string | undefined
}

async function server(t: Teardown, options: SMTPServerOptions) {
  const received: Received[] = []
  const smtp = new SMTPServer({
    key: PRIVATE_KEY,
    cert: CERTIFICATE,
    authOptional: true,
    disableReverseLookup: true,
    onAuth: ({ username, password }, _session, done) =>
      username === 'ann' && password === 'p@ss word'
        ? done(null, { user: username })
        : done(new Error('Invalid login')),
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        const source = Buffer.concat(chunks)
        const { mailFrom } = session.envelope
        received.push({
          mail: await simpleParser(source),
          source: source.toString('latin1'),
          from: mailFrom === false ? '' : mailFrom.address,
          secure: session.secure,
          user: session.user
        })
        done()
      })
    },
    ...options
  })
  smtp.on('error', () => {})
  smtp.listen(0, '127.0.0.1')
  await once(smtp.server, 'listening')
  t.teardown(() => new Promise<void>((resolve) => smtp.close(() => resolve())))
  return { received, port: (smtp.server.address() as { port: number }).port }
}

function provider(t: Teardown, options: SmtpProviderOptions) {
  const made = createSmtpProvider(options)
  t.teardown(() => made.close?.())
  return made
}

const AUTH = 'ann:p%40ss%20word@'

test('a mail arrives as it was given: sender, subject, text, HTML, headers, Message-ID', async (t) => {
  const { received, port } = await server(t, { hideSTARTTLS: true })
  const smtp = provider(t, { url: `smtp://127.0.0.1:${port}` })
  t.match(await smtp.send(sampleMail, sampleSend()), {
    status: 'accepted',
    providerId: sampleSend().messageId,
    raw: { response: /^250/ }
  })
  const [{ mail, from } = {} as Received] = received
  t.equal(from, 'hello@acme.test')
  t.equal(mail.messageId, sampleSend().messageId)
  t.same(mail.from?.value, [{ name: 'Acme, Inc.', address: 'hello@acme.test' }])
  t.equal(mail.replyTo?.text, 'help@acme.test')
  t.equal(mail.subject, sampleMail.subject)
  t.equal(mail.text?.trim(), 'Hello Ann\nBye')
  t.equal(mail.html, sampleMail.html)
  t.match(
    mail.headerLines.map(({ line }) => line).join('\n'),
    'List-Unsubscribe-Post: List-Unsubscribe=One-Click'
  )
})

test('attachments arrive, and an image with a content id is inline', async (t) => {
  const { received, port } = await server(t, { hideSTARTTLS: true })
  const smtp = provider(t, { url: `smtp://127.0.0.1:${port}` })
  await smtp.send({ ...sampleMail, attachments: sampleFiles }, sampleSend())
  t.match(received[0]?.mail.attachments, [
    { filename: 'logo.png', contentType: 'image/png', cid: 'logo', contentDisposition: 'inline' },
    { filename: 'invoice.pdf', contentDisposition: 'attachment', content: Buffer.from('%PDF-1.7') }
  ])
})

test('a mail without HTML has one part, and dots and long lines survive', async (t) => {
  const { received, port } = await server(t, { hideSTARTTLS: true })
  const smtp = provider(t, { url: `smtp://127.0.0.1:${port}` })
  const text = `.\n..hidden\n${'ü'.repeat(2000)}\n.`
  const { html: _html, ...plain } = sampleMail
  await smtp.send({ ...plain, text }, sampleSend())
  t.equal(received[0]?.mail.text?.trim(), text)
  t.match(received[0]?.source, /Content-Type: text\/plain/)
  t.notMatch(received[0]?.source.replaceAll('\r\n', ''), /[\r\n]/, 'every line ends with CRLF')
})

test('STARTTLS is used before the password is sent', async (t) => {
  const { received, port } = await server(t, { authOptional: false })
  const url = `smtp://${AUTH}localhost:${port}`
  const smtp = provider(t, { url, ca: CERTIFICATE, requireTls: true })
  t.match(await smtp.send(sampleMail, sampleSend()), { status: 'accepted' })
  t.match(received, [{ secure: true, user: 'ann' }])
})

test('smtps is TLS from the first byte', async (t) => {
  const { received, port } = await server(t, { secure: true })
  const smtp = provider(t, { url: `smtps://${AUTH}localhost:${port}`, ca: CERTIFICATE })
  t.match(await smtp.send(sampleMail, sampleSend()), { status: 'accepted' })
  t.match(received, [{ secure: true, user: 'ann' }])
})

const mailOf = (t: Teardown, options: SmtpProviderOptions) =>
  provider(t, options)
    .send(sampleMail, sampleSend())
    .then(
      (answer) => ({ answer: JSON.stringify(answer), error: undefined }),
      (error: Error) => ({ answer: '', error: `${error} ${JSON.stringify(error)} ${error.cause}` })
    )

test('a certificate that is not trusted gets no mail', async (t) => {
  const { received, port } = await server(t, { secure: true })
  t.match(await mailOf(t, { url: `smtps://localhost:${port}` }), { error: /MLR_MAIL_NOT_TAKEN/ })
  t.same(received, [])
})

test('a server that hides STARTTLS gets no password', async (t) => {
  const { received, port } = await server(t, {
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true
  })
  const url = `smtp://${AUTH}localhost:${port}`
  t.match(await mailOf(t, { url, requireTls: true }), { error: /STARTTLS/ })
  t.same(received, [])
})

test('a wrong password is tried again, and not shown', async (t) => {
  const { port } = await server(t, {
    authOptional: false,
    hideSTARTTLS: true,
    allowInsecureAuth: true
  })
  const { error = '' } = await mailOf(t, { url: `smtp://ann:hunter2@127.0.0.1:${port}` })
  t.match(error, /MLR_MAIL_NOT_TAKEN/)
  t.match(error, /535/)
  t.notMatch(error, /hunter2|aHVudGVyMg/)
})

test('a mail that is too large for the server is refused before it is sent', async (t) => {
  const { received, port } = await server(t, { hideSTARTTLS: true, size: 300 })
  t.match(await mailOf(t, { url: `smtp://127.0.0.1:${port}` }), { answer: /"rejected".*larger/ })
  t.same(received, [])
})

test('bounces go to the return path', async (t) => {
  const { received, port } = await server(t, { hideSTARTTLS: true })
  await mailOf(t, { url: `smtp://127.0.0.1:${port}`, returnPath: 'bounces@acme.test' })
  t.equal(received[0]?.from, 'bounces@acme.test')
})

test('no more connections are open than hand-overs may run', async (t) => {
  let open = 0
  let most = 0
  const { port, received } = await server(t, {
    hideSTARTTLS: true,
    onConnect(_session, done) {
      open += 1
      most = Math.max(most, open)
      done()
    },
    onClose() {
      open -= 1
    }
  })
  const smtp = provider(t, { url: `smtp://127.0.0.1:${port}`, concurrency: 2 })
  t.equal(smtp.concurrency, 2)
  await Promise.all(Array.from({ length: 20 }, () => smtp.send(sampleMail, sampleSend())))
  t.equal(received.length, 20)
  t.ok(most <= 2, `${most} connections`)
})

test('a password leaves the machine by TLS only', async (t) => {
  const tls = (url: string) => smtpServer('smtp', url)
  t.match(tls('smtp://a:b@mail.acme.test'), {
    port: 587,
    secure: false,
    requireTLS: true,
    ignoreTLS: false
  })
  t.match(tls('smtp://mail.acme.test:25'), { port: 25, requireTLS: false, ignoreTLS: false })
  t.match(tls('smtps://a:b@mail.acme.test'), { port: 465, secure: true })
  t.match(tls('smtp://a:b@127.0.0.1:2525'), { requireTLS: false, ignoreTLS: true })
  t.match(tls('smtp://[::1]:2525'), { host: '::1', ignoreTLS: true })
})

const refused: readonly (readonly [string, object, RegExp])[] = [
  ['no address', {}, /url is missing/],
  ['another protocol', { url: 'http://a' }, /url must be smtp:/],
  ['an address with settings', { url: 'smtp://a:25?pool=true' }, /url must end after the port/],
  ['a broken escape', { url: 'smtp://a%ZZ:b@c' }, /percent-encoded/],
  ['an unknown option', { url: 'smtp://a', tls: {} }, /tls is unknown/],
  [
    'a key that is not one',
    { url: 'smtp://a', dkim: { domain: 'a.test', selector: 's', privateKey: 'hunter2' } },
    /dkim\.privateKey must be an RSA private key/
  ],
  ['a rate of zero', { url: 'smtp://a', sendRatePerSecond: 0 }, /sendRatePerSecond/]
]
for (const [name, options, message] of refused) {
  test(`${name} is refused by name`, async (t) => {
    t.throws(() => createSmtpProvider(options as never), { code: 'MLR_PROVIDER_INVALID', message })
    t.throws(() => createSmtpProvider(options as never), { message: /^(?!.*hunter2)/s })
  })
}
