// DKIM signatures, verified by an independent implementation.
import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { test } from 'tap'
import { sampleFiles, sampleMail, sampleSend } from '../test/sample-mail.ts'
import { composeMail } from './compose-mail.ts'
import { createDkimSigner } from './dkim.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' }
})
const dkim = { domain: 'acme.test', selector: 's1', privateKey }
const sign = createDkimSigner(dkim)

async function verdict(
  mail: Buffer
): Promise<{ result: string; aligned: unknown; signed: string }> {
  const record = `v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`
  const resolver = async (name: string) => {
    if (name === 's1._domainkey.acme.test') return [[record]]
    throw Object.assign(new Error('no record'), { code: 'ENOTFOUND' })
  }
  const { results } = await dkimVerify(mail, { resolver, sender: 'hello@acme.test' })
  const [first] = results
  const { status, signingHeaders } = first as unknown as {
    status: { result: string; aligned: unknown }
    signingHeaders: { keys: string }
  }
  return { ...status, signed: signingHeaders?.keys ?? '' }
}

const compose = (more: object = {}) =>
  composeMail(
    { ...sampleMail, ...more },
    { ...sampleSend(), date: new Date('2026-03-01T10:00:00Z') }
  )

test('a composed mail with attachments passes, aligned with the sender', async (t) => {
  const { result, aligned } = await verdict(await sign(await compose({ attachments: sampleFiles })))
  t.equal(result, 'pass')
  t.equal(aligned, 'acme.test')
})

test('what one-click unsubscription needs is signed', async (t) => {
  const { signed } = await verdict(await sign(await compose()))
  const names = signed.toLowerCase().split(/\s*:\s*/)
  for (const name of ['from', 'message-id', 'list-unsubscribe', 'list-unsubscribe-post'])
    t.ok(names.includes(name), name)
})

const changes: readonly (readonly [string, (mail: string) => string])[] = [
  ['a changed word of the body', (mail) => mail.replace('Bye', 'Buy')],
  ['a changed subject', (mail) => mail.replace(/Subject: .*/, 'Subject: free')],
  ['a second sender', (mail) => `${mail.replace('\r\nTo:', '\r\nFrom: x@evil.test\r\nTo:')}`],
  ['another unsubscribe link', (mail) => mail.replace('/m/u/abc', '/m/u/abd')]
]
for (const [name, change] of changes) {
  test(`${name} breaks the signature`, async (t) => {
    const signed = (await sign(await compose({ html: undefined }))).toString('latin1')
    const changed = change(signed)
    t.not(changed, signed)
    t.not((await verdict(Buffer.from(changed, 'latin1'))).result, 'pass')
  })
}

test('a body with any white space and line ends passes', async (t) => {
  const piece = fc.constantFrom('\r\n', ' ', '\t', 'a', '.', '\u00e9', '=20', '  \r\n\r\n', 'word ')
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
      const head = 'From: hello@acme.test\r\nSubject:  two  \r\n\tlines \r\nX-Other: 1\r\n\r\n'
      const mail = Buffer.from(head + pieces.join(''), 'latin1')
      const signed = await sign(mail)
      // SMTP ends the last line.
      const arrives = signed.toString('latin1').endsWith('\r\n') ? '' : '\r\n'
      const { result } = await verdict(Buffer.concat([signed, Buffer.from(arrives)]))
      return result === 'pass'
    }),
    { numRuns: 60 }
  )
  t.pass()
})

test('lines of the signature are short', async (t) => {
  const [head = ''] = (await sign(await compose())).toString('latin1').split('\r\nFrom:')
  for (const line of head.split('\r\n')) t.ok(line.length <= 100, line)
})

test('a key that is not RSA, or too short, is refused', async (t) => {
  const { privateKey: short } = generateKeyPairSync('rsa', { modulusLength: 768 })
  const { privateKey: curve } = generateKeyPairSync('ed25519')
  for (const key of [short, curve]) {
    const pem = key.export({ type: 'pkcs8', format: 'pem' }) as string
    t.throws(() => createDkimSigner({ ...dkim, privateKey: pem }), /RSA key of at least 1024 bits/)
  }
  t.throws(() => createDkimSigner({ ...dkim, privateKey: 'not a key' }))
})
