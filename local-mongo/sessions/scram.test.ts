// SCRAM-SHA-256: the exchange of RFC 7677, and the refusals.
import { test } from 'tap'
import type { Credentials } from './scram.ts'
import { challenge, checkProof, makeCredentials } from './scram.ts'

// The example of RFC 7677, section 3, has 4,096 iterations; the keys are derived from its password.
const salt = Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64')
const first = 'n,,n=user,r=rOprNGfwEbeRWgbNEkqO'
const serverNonce = '%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0'

async function rfcCredentials(): Promise<Credentials> {
  const { createHash, createHmac, pbkdf2Sync } = await import('node:crypto')
  const salted = pbkdf2Sync('pencil', salt, 4096, 32, 'sha256')
  const clientKey = createHmac('sha256', salted).update('Client Key').digest()
  return {
    user: 'user',
    salt,
    iterations: 4096,
    storedKey: createHash('sha256').update(clientKey).digest(),
    serverKey: createHmac('sha256', salted).update('Server Key').digest()
  }
}

test('the example of RFC 7677 comes out', async (t) => {
  const credentials = await rfcCredentials()
  const started = challenge(first, credentials, serverNonce)
  if (!started) throw new Error('no challenge')
  t.equal(
    started.message,
    'r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096'
  )
  const final =
    'c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,' +
    'p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ='
  t.equal(checkProof(final, started, credentials), 'v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=')
  t.equal(checkProof(final, { ...started, isKnown: false }, credentials), undefined)
  t.equal(checkProof(final.replace('r=r', 'r=x'), started, credentials), undefined)
  t.equal(checkProof(final.replace('p=d', 'p=e'), started, credentials), undefined)
  t.equal(checkProof(`${final.slice(0, -20)}=`, started, credentials), undefined)
  t.equal(checkProof('c=biws', started, credentials), undefined)
})

for (const message of ['', 'p=tls,,n=a,r=b', 'n,,m=x,n=a,r=b', 'n,,n=a', 'n,,r=b,n=a']) {
  test(`the first message '${message}' is malformed`, async (t) => {
    t.equal(challenge(message, await rfcCredentials(), 'x'), undefined)
  })
}

test('another user gets a challenge like anybody', async (t) => {
  const credentials = makeCredentials('local', 'a long password', Buffer.alloc(28, 1))
  const started = challenge('n,,n=oth=2Cer=3D,r=abc', credentials, 'x')
  t.match(started, { isKnown: false, nonce: 'abcx' })
})
