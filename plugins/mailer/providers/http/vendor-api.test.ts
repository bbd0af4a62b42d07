// Whether a request that failed can have arrived: the failures of undici, of the system and of the kernel.
import { KeelsonError } from '@keelson/sdk'
import { test } from 'tap'
import { MockAgent, fetch as undiciFetch } from 'undici'
import { callVendor } from './vendor-api.ts'

const failed = (code: string, more: object = {}) =>
  Object.assign(new Error(`it failed ${code}`), { code, ...more })
const kernelError = (code: string) =>
  new KeelsonError(code, { message: 'No.', remedy: 'Stop.', status: 500 }, {})

/** A call whose connection fails that way. */
async function callThat(error: Error, signal = new AbortController().signal) {
  const agent = new MockAgent()
  agent.disableNetConnect()
  agent
    .get('https://vendor.test')
    .intercept({ path: '/send', method: 'POST' })
    .replyWithError(error)
  const fetch: typeof undiciFetch = (input, init) =>
    undiciFetch(input, { ...init, dispatcher: agent })
  const api = { provider: 'vendor', baseUrl: 'https://vendor.test/', fetch, secrets: ['hunter2'] }
  return callVendor(api, { path: '/send', headers: {}, body: 'hunter2', signal })
}

const connect = { syscall: 'connect' }
const notSent: readonly (readonly [string, Error])[] = [
  ['a connection that is not made in time', failed('UND_ERR_CONNECT_TIMEOUT')],
  ['a refused connection', failed('ECONNREFUSED', connect)],
  ['a connection that the system gives up', failed('ETIMEDOUT', connect)],
  ['an unreachable network', failed('ENETUNREACH', connect)],
  ['an unknown name', failed('ENOTFOUND', { syscall: 'getaddrinfo' })],
  ['a name server that is down', failed('EAI_AGAIN', { syscall: 'getaddrinfo' })],
  ['several addresses that all fail', new AggregateError([failed('ETIMEDOUT', connect)])],
  ['a certificate that expired', failed('CERT_HAS_EXPIRED')],
  ['a certificate that signed itself', failed('DEPTH_ZERO_SELF_SIGNED_CERT')],
  ['a certificate of another name', failed('ERR_TLS_CERT_ALTNAME_INVALID')],
  ['a host that the plugin did not declare', kernelError('KRN_HOST_UNDECLARED')]
]
for (const [name, error] of notSent) {
  test(`${name} means that the request never left`, async (t) => {
    await t.rejects(callThat(error), { code: 'MLR_MAIL_NOT_TAKEN' })
  })
}

const lost: readonly (readonly [string, Error])[] = [
  ['a connection that is closed', failed('UND_ERR_SOCKET')],
  ['a connection that is reset', failed('ECONNRESET', { syscall: 'read' })],
  ['a write that times out', failed('ETIMEDOUT', { syscall: 'write' })],
  ['a pipe that breaks', failed('EPIPE', { syscall: 'write' })],
  ['an answer that does not begin in time', failed('UND_ERR_HEADERS_TIMEOUT')],
  ['a call that the kernel ended', kernelError('KRN_FETCH_TIMEOUT')],
  ['an error without a code', new Error('odd')]
]
for (const [name, error] of lost) {
  test(`${name} means that the request may have arrived`, async (t) => {
    t.match(await callThat(error), { lost: /^No answer: / })
  })
}

test('a failure that repeats a secret does not show it', async (t) => {
  const answer = await callThat(failed('EPIPE', { message: 'hunter2 \r\n was written' }))
  t.same(answer, { lost: 'No answer: EPIPE *** was written' })
})
