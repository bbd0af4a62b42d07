// Whose fault a failed hand-over is, by what servers and systems really say.
import fc from 'fast-check'
import { test } from 'tap'
import { type Fault, faultOfAnswer, faultOfDialogue, faultOfFailure } from './fault-of-failure.ts'
import { notTaken } from './provider-errors.ts'

const coded = (code: string, more: object = {}) => Object.assign(new Error(code), { code, ...more })

const failures: readonly (readonly [unknown, Fault])[] = [
  [coded('ECONNREFUSED', { syscall: 'connect' }), 'provider'],
  [coded('ETIMEDOUT', { syscall: 'connect' }), 'provider'],
  [coded('ENOTFOUND', { syscall: 'getaddrinfo' }), 'provider'],
  [coded('EAI_AGAIN', { syscall: 'getaddrinfo' }), 'provider'],
  [coded('EAUTH', { responseCode: 535 }), 'provider'],
  [coded('DEPTH_ZERO_SELF_SIGNED_CERT'), 'provider'],
  [new TypeError('fetch failed', { cause: coded('UND_ERR_CONNECT_TIMEOUT') }), 'provider'],
  [
    new TypeError('fetch failed', { cause: new AggregateError([coded('ECONNREFUSED')]) }),
    'provider'
  ],
  [Object.assign(new Error('later'), { responseCode: 421 }), 'provider'],
  [Object.assign(new Error('greylisted'), { responseCode: 451 }), 'mail'],
  [Object.assign(new Error('slow down'), { statusCode: 429 }), 'provider'],
  [Object.assign(new Error('no'), { statusCode: 422 }), 'mail'],
  [Object.assign(new Error('anything'), { fault: 'mail', code: 'ECONNREFUSED' }), 'mail'],
  [notTaken({ provider: 'smtp', reason: 'down' }), 'provider'],
  [notTaken({ provider: 'smtp', reason: 'greylisted', fault: 'mail' }), 'mail'],
  [new TypeError('undefined is not a function'), 'mail'],
  ['a text', 'mail'],
  [undefined, 'mail']
]

test('what a provider throws tells whose fault it is', async (t) => {
  for (const [error, fault] of failures) t.equal(faultOfFailure(error), fault, String(error))
})

const answers: readonly (readonly [number, string, Fault])[] = [
  [302, '', 'provider'],
  [401, 'The provided authorization grant is invalid, expired, or revoked', 'provider'],
  [402, 'Your account is not active', 'provider'],
  [403, 'access forbidden', 'provider'],
  [403, 'The from address does not match a verified Sender Identity.', 'mail'],
  [403, 'The acme.test domain is not verified.', 'mail'],
  [404, 'Domain not found: mg.acme.test', 'provider'],
  [409, 'The same key is in use.', 'mail'],
  [413, 'Payload too large', 'mail'],
  [422, 'Invalid `to` field.', 'mail'],
  [429, 'Too many requests from this address', 'provider'],
  [500, 'Internal error', 'provider'],
  [503, 'Service unavailable', 'provider']
]

test('what an API answers tells whose fault it is', async (t) => {
  for (const [status, words, fault] of answers)
    t.equal(faultOfAnswer(status, words), fault, `${status} ${words}`)
  t.equal(faultOfAnswer(400, 'Sending paused for this account.', true), 'provider')
  t.equal(faultOfAnswer(400, 'Sender signature not confirmed.', true), 'mail')
})

const dialogues: readonly (readonly [Parameters<typeof faultOfDialogue>[0], boolean, Fault])[] = [
  [{ code: 'ESOCKET' }, false, 'provider'],
  [{}, false, 'provider'],
  [{ code: 'EAUTH', responseCode: 535, command: 'AUTH PLAIN' }, false, 'provider'],
  [{ code: 'EENVELOPE', responseCode: 421, command: 'RCPT TO' }, true, 'provider'],
  [{ code: 'EENVELOPE', responseCode: 530, command: 'MAIL FROM' }, true, 'provider'],
  [{ code: 'EENVELOPE', responseCode: 450, command: 'RCPT TO' }, true, 'mail'],
  [{ code: 'EENVELOPE', responseCode: 451, command: 'RCPT TO' }, true, 'mail'],
  [{ code: 'EMESSAGE', responseCode: 452, command: 'DATA' }, true, 'mail'],
  [{ code: 'EPROTOCOL', responseCode: 500, command: 'EHLO' }, true, 'provider'],
  [{ code: 'ETIMEDOUT' }, true, 'provider'],
  [{ code: 'ECONNECTION', command: 'DATA' }, true, 'mail']
]

test('how an SMTP dialogue fails tells whose fault it is', async (t) => {
  for (const [failure, isConnected, fault] of dialogues)
    t.equal(faultOfDialogue(failure, isConnected), fault, JSON.stringify(failure))
})

test('any failure is the fault of the one or of the other', async (t) => {
  fc.assert(
    fc.property(fc.anything(), (error) => ['provider', 'mail'].includes(faultOfFailure(error)))
  )
  t.pass()
})
