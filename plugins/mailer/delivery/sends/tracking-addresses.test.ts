// Tracking addresses: what is written is read again, what is forged is refused.
import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { test } from 'tap'
import { sendIdOf } from '../../ledger/send-id.ts'
import {
  clickAddress,
  honeypotAddress,
  isTrackingAlive,
  openAddress,
  parseClickPath,
  parseOpenPath,
  parseSignedPath,
  viewAddress
} from './tracking-addresses.ts'
import { isSignature, judgeSignature, trackingSignature } from './tracking-signature.ts'

const base = { publicUrl: 'https://mail.example.test', secret: 'a secret of some length' }
const sendId = sendIdOf(base.secret, 'one')

test('a signature is the first 12 characters of the HMAC over version, scope and ids', async (t) => {
  const mac = (message: string) =>
    createHmac('sha256', base.secret).update(message).digest('base64url').slice(0, 12)
  t.equal(trackingSignature(base.secret, 'open', sendId), mac(`mailer.track.v1:open:${sendId}`))
  t.equal(
    trackingSignature(base.secret, 'click', sendId, 'abc'),
    mac(`mailer.track.v1:click:${sendId}:abc`)
  )
})

test('an address that is written is read again with a valid signature', async (t) => {
  fc.assert(
    fc.property(fc.string(), fc.stringMatching(/^[0-9a-f]{12}$/), (key, linkId) => {
      const id = sendIdOf(base.secret, key)
      const open = parseOpenPath(openAddress(base, id).slice(`${base.publicUrl}/m/open/`.length))
      const click = parseClickPath(
        clickAddress(base, id, linkId).slice(`${base.publicUrl}/m/click/`.length)
      )
      return (
        open?.sendId === id &&
        isSignature(open.signature ?? '', trackingSignature(base.secret, 'open', id)) &&
        click?.linkId === linkId &&
        isSignature(click.signature ?? '', trackingSignature(base.secret, 'click', id, linkId))
      )
    })
  )
  t.pass()
})

test('the addresses of the view and of the honeypot are signed for their purpose alone', async (t) => {
  const paths = { view: viewAddress(base, sendId), honeypot: honeypotAddress(base, sendId) }
  for (const [scope, address] of Object.entries(paths)) {
    const read = parseSignedPath(new URL(address).pathname.split('/').slice(3).join('/'))
    t.equal(read?.sendId, sendId)
    for (const purpose of ['open', 'click', 'view', 'honeypot'] as const) {
      const expected = trackingSignature(base.secret, purpose, sendId)
      t.equal(
        isSignature(read?.signature ?? '', expected),
        purpose === scope,
        `${scope} ${purpose}`
      )
    }
  }
  t.notMatch(paths.honeypot, /click/)
})

test('an unsigned address is legacy, and refused where signatures are required', async (t) => {
  const expected = trackingSignature(base.secret, 'open', sendId)
  t.equal(judgeSignature(undefined, expected, false), 'legacy')
  t.equal(judgeSignature(undefined, expected, true), 'refused')
  t.equal(judgeSignature(expected, expected, true), 'valid')
})

test('a signature of another scope, link, send or secret is refused', async (t) => {
  const expected = trackingSignature(base.secret, 'click', sendId, 'abc')
  const others = [
    trackingSignature(base.secret, 'open', sendId),
    trackingSignature(base.secret, 'open', sendId, 'abc'),
    trackingSignature(base.secret, 'click', sendId, 'abd'),
    trackingSignature(base.secret, 'click', sendIdOf(base.secret, 'two'), 'abc'),
    trackingSignature('another secret altogether', 'click', sendId, 'abc'),
    '',
    'short',
    'ü'.repeat(12)
  ]
  for (const other of others) t.equal(judgeSignature(other, expected, false), 'refused', other)
})

test('paths without a send id are not read', async (t) => {
  for (const path of ['nonsense.png', '.png', `${sendId}`, `${sendId}.a.b.png`, '../x.png']) {
    t.equal(parseOpenPath(path), undefined, path)
  }
  for (const path of ['', 'not-an-id/abc/sig', `${sendId}x/abc`, `${sendId}/a/b/c`]) {
    t.equal(parseClickPath(path), undefined, path)
  }
  for (const path of ['', 'x/y', `${sendId}/a/b`, `../${sendId}/a`]) {
    t.equal(parseSignedPath(path), undefined, path)
  }
})

test('tracking ends when its days are over, and never with 0 days', async (t) => {
  const queuedAt = new Date('2026-01-01T00:00:00Z')
  const after = (days: number) => new Date(queuedAt.getTime() + days * 86_400_000)
  t.ok(isTrackingAlive(queuedAt, 30, after(29)))
  t.notOk(isTrackingAlive(queuedAt, 30, after(31)))
  t.ok(isTrackingAlive(queuedAt, 0, after(4000)))
})
