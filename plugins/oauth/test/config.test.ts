// Construction: what is refused, and that the message names it; the user adapter, the error classes, the constants.
import { generateKeyPairSync } from 'node:crypto'
import { MongoClient } from 'mongodb'
import { test } from 'tap'
import { errorTable } from '../errors.ts'
import { wireError } from '../http/answers.ts'
import type { OAuthHostConfig } from '../index.ts'
import * as oauth from '../index.ts'

const GOOD: OAuthHostConfig = {
  issuer: 'https://id.example.test',
  connection: new MongoClient('mongodb://127.0.0.1:1').db('never_connected'),
  resources: [{ id: 'https://api.example.test' }],
  scopes: ['openid', { id: 'read' }],
  consentUrl: '/consent',
  resolveUser: () => null,
  loadUser: () => null
}
const pem = (type: 'ec' | 'rsa', options: object) =>
  generateKeyPairSync(type as 'ec', options as { namedCurve: string }).privateKey.export({
    type: 'pkcs8',
    format: 'pem'
  })

test('an invalid setting is refused by its path and value', (t) => {
  const wrong: readonly (readonly [object, RegExp])[] = [
    [{ issuer: 'https://id.example.test/?x' }, /issuer.*query/],
    [{ issuer: 'ftp://id.example.test' }, /http or https.*ftp:/],
    [{ issuer: 'https://u:p@id.example.test' }, /credentials/],
    [{ issuer: undefined }, /issuer must be of type string, but is undefined/],
    [{ issuer: 'https://id.example.test/' }, /issuer must not end with a slash.*test\/"/],
    [{ connection: {} }, /connection/],
    [{ scopes: ['a b'] }, /scopes\.0 must not contain.*"a b"/],
    [{ scopes: [{ label: 'x' }] }, /scopes\.0\.id is missing/],
    [{ resources: ['https://a.test/#b'] }, /fragment/],
    [{ resources: [{ id: 'https://a.test', scopes: ['ghost'] }] }, /ghost/],
    [{ subjectMode: 'pairwise' }, /subjectMode.*pairwiseSalt/],
    [
      { signing: { algorithms: ['none'] } },
      /signing\.algorithms\.0 must be one of "ES256", "RS256"/
    ],
    [{ consentUrl: '' }, /consentUrl/],
    [{ scopes: ['a', 'a'] }, /twice/],
    [{ scopes: [null] }, /scopes\.0 must be an id or an object.*null/],
    [{ resources: [7] }, /resources\.0/],
    [{ resources: ['https://a.test', 'https://a.test'] }, /twice/],
    [
      { resources: [{ id: 'https://a.test', scopes: 'read' }] },
      /resources\.0\.scopes must be of type array.*read/
    ],
    [{ resources: [{ id: 'https://a.test', accessTokenFormat: 'saml' }] }, /saml/],
    [
      { userAdapter: {}, resolveUser: undefined, loadUser: undefined },
      /userAdapter.*resolveUser\(\)/
    ],
    [
      {
        userAdapter: { resolveUser: () => null, loadUser: 7 },
        resolveUser: undefined,
        loadUser: undefined
      },
      /userAdapter.*loadUser\(\)/
    ],
    [{ subjectMode: 'secret' }, /secret/],
    [{ ttl: { refreshGrace: -1 } }, /refreshGrace.*-1/],
    [{ ttl: { accessToken: Number.NaN } }, /accessToken/],
    [{ tokenCache: { ttlMs: '5' } }, /tokenCache\.ttlMs/],
    [{ audit: { retentionDays: 0 } }, /retentionDays/],
    [{ rateLimits: { token: { max: 0, windowMs: 1 } } }, /rateLimits\.token/],
    [
      { rateLimits: { consent: true } },
      /rateLimits\.consent must be false or \{ max, windowMs \}, but is true/
    ],
    [{ clientIdMetadata: { enabled: true, allowedHosts: ['a.test'], maxBytes: -1 } }, /maxBytes/],
    [
      { clientIdMetadata: { enabled: true, allowedHosts: ['a.test'], allowedScopes: [] } },
      /allowedScopes/
    ],
    [{ claims: 7 }, /claims/],
    [{ endSession: 'x' }, /endSession/],
    [{ grantContext: { list: () => [] } }, /grantContext must have the function verify\(\)/],
    [
      { grantContext: { list: () => [], verify: () => true, describe: 'Acme' } },
      /grantContext must have the function describe\(\)/
    ],
    [{ registration: { enabled: true } }, /initialAccessTokens/],
    [
      { registration: { enabled: true, initialAccessTokens: ['short'] } },
      /initialAccessTokens\.0 must have at least 24 characters\. Correct/
    ],
    [
      {
        signing: {
          keys: [{ kid: 'k', privateKeyPem: pem('rsa', { modulusLength: 1024 }), alg: 'RS256' }],
          algorithms: ['RS256']
        }
      },
      /k.*2048/
    ],
    [
      {
        signing: {
          keys: [{ kid: 'k', privateKeyPem: pem('ec', { namedCurve: 'P-256' }), alg: 'RS256' }],
          algorithms: ['RS256']
        }
      },
      /not RSA/
    ]
  ]
  for (const [more, message] of wrong) {
    t.throws(() => oauth.createOAuthHost({ ...GOOD, ...more }), { message })
  }
  t.throws(() => oauth.createOAuthHost(null as never), { message: /null/ })
  const secret = 'too short a secret'
  try {
    oauth.createOAuthHost({ ...GOOD, secret })
    t.fail('not refused')
  } catch (error) {
    t.match(error, { message: /secret/ })
    t.notMatch((error as Error).message, secret, 'and never shown')
  }
  t.end()
})

test('RS256 keys are accepted when RS256 is configured; the default kid is the thumbprint', async (t) => {
  const keys = [{ privateKeyPem: pem('rsa', { modulusLength: 2048 }), alg: 'RS256' }]
  t.ok(oauth.createOAuthHost({ ...GOOD, signing: { keys: keys as never, algorithms: ['RS256'] } }))
})

test('a user adapter resolves and loads users, and refuses non-functions', async (t) => {
  const adapter = oauth.createUserAdapter({ loadUser: (id) => ({ id }) })
  t.equal(adapter.resolveUser, oauth.defaultResolveUser)
  t.same(await adapter.loadUser?.('u'), { id: 'u' })
  t.equal(oauth.createUserAdapter().loadUser, undefined)
  t.throws(() => oauth.createUserAdapter({ loadUser: 7 as never }), { message: /loadUser/ })
  t.same(oauth.defaultResolveUser({ user: { _id: 'a', id: 'b' }, authUserId: 'c' }), { id: 'a' })
  t.equal(oauth.defaultResolveUser(undefined), null)
})

test('internal errors are answered without their message', (t) => {
  t.match(wireError(new Error('the password is x')), {
    status: 500,
    code: 'server_error',
    description: undefined
  })
  t.match(wireError({ code: 'FST_ERR_CTP_BODY_TOO_LARGE', statusCode: 413 }), {
    status: 413,
    code: 'invalid_request'
  })
  t.match(wireError(new oauth.UnredirectableError('invalid_request', 'no')), { status: 400 })
  const told = new oauth.RedirectableAuthError('invalid_scope', 'no', 'https://a.test/cb', 's')
  t.match(told, {
    status: 400,
    redirectUri: 'https://a.test/cb',
    state: 's',
    name: 'RedirectableAuthError'
  })
  t.end()
})

test('every error of the table has a sentence and a remedy; constants are read-only', (t) => {
  for (const [code, { message, remedy }] of Object.entries(errorTable)) {
    t.match(code, /^OAU_/)
    t.match(message, /\.$/)
    t.match(remedy, /\.$/)
  }
  for (const list of [
    oauth.CLAUDE_CODE_REDIRECT_URIS,
    oauth.CIMD_ALLOWED_HOSTS,
    oauth.CURSOR_REDIRECT_URIS,
    oauth.VSCODE_REDIRECT_URIS
  ]) {
    t.ok(Object.isFrozen(list))
  }
  t.end()
})

test('models can be made without a host', async (t) => {
  const models = oauth.createModels({ connection: GOOD.connection, collectionPrefix: 'x_' })
  t.same(Object.keys(models), [
    'OAuthClient',
    'OAuthGrant',
    'OAuthCode',
    'OAuthToken',
    'OAuthRequest',
    'OAuthKey',
    'OAuthAudit'
  ])
  t.equal(models.OAuthAudit.collectionName, 'x_audit')
})
