// What the pages decide without a browser: drafts of clients, endings of attempts, lists.
import { createFormat } from '@keelson/ui'
import { nothing, type TemplateResult } from 'lit'
import { test } from 'tap'
import type { ClientAnswer } from '../clients/client-schema.ts'
import { resolveSettings } from '../config/settings.ts'
import { labelsOf } from '../grants/labels.ts'
import type { OptionsAnswer } from '../operations/answers.ts'
import { countEndings, meaningOf, outcomeOf } from '../pages/attempts/ending.ts'
import { beforeOf, isAlarm, kindOf, metaText } from '../pages/audit/entry.ts'
import { accessOf, changedAccess, emptyAccess } from '../pages/clients/access-draft.ts'
import {
  changeBody,
  createBody,
  draftOf,
  emptyDraft,
  toggled,
  withPreset
} from '../pages/clients/draft.ts'
import { namedId } from '../pages/clients/named-id.ts'
import { timeWords } from '../pages/times.ts'

const OPTIONS: OptionsAnswer = {
  issuer: 'https://id.test',
  scopes: [
    { id: 'read', label: 'Read', isSensitive: false },
    { id: 'write', label: 'Write', isSensitive: true }
  ],
  resources: [{ id: 'r', label: 'R' }],
  grantTypes: ['authorization_code', 'refresh_token'],
  hasTenants: false,
  presets: [
    { id: 'app', name: 'App', type: 'public', redirectUris: ['app://cb', 'http://localhost/cb'] }
  ]
}

test('a new client starts with every resource, and without sensitive scopes', async (t) => {
  t.match(emptyDraft(OPTIONS), { scopes: ['read'], resources: ['r'] })
})

test('a scope without a label, or that the config no longer has, is named once', async (t) => {
  const scopes = [...OPTIONS.scopes, { id: 'plain', label: 'plain', isSensitive: false }]
  const values = (id: string) => namedId(id, scopes).values
  t.match(values('read'), [{ values: ['Read'] }, 'read'])
  t.same(values('plain'), [nothing, 'plain'])
  t.same(values('gone'), [nothing, 'gone'])
})

test('a preset fills its fields; an unknown preset changes nothing', async (t) => {
  const draft = { ...emptyDraft(OPTIONS), proof: 'key' as const }
  t.match(withPreset(draft, 'app', OPTIONS.presets), {
    name: 'App',
    type: 'public',
    proof: 'secret',
    redirects: 'app://cb\nhttp://localhost/cb',
    scopes: ['read']
  })
  t.equal(withPreset(draft, '', OPTIONS.presets), draft)
})

/** What a change takes back when its field is empty. */
const UNSET = {
  backchannelLogoutUri: null,
  branding: null,
  idTokenAlg: null,
  pkce: 'required',
  dpopBoundAccessTokens: false,
  requirePushedAuthorizationRequests: false
}

test('the form sends exactly the fields of the API', async (t) => {
  const draft = {
    ...emptyDraft(OPTIONS),
    name: ' App ',
    redirects: ' https://a.test/cb\n\nhttps://b.test/cb '
  }
  const body = {
    name: 'App',
    redirectUris: ['https://a.test/cb', 'https://b.test/cb'],
    allowedScopes: ['read'],
    allowedResources: ['r'],
    postLogoutRedirectUris: []
  }
  t.same(createBody(draft), { ...body, type: 'confidential' })
  const keyed = {
    ...draft,
    proof: 'key' as const,
    jwksUri: ' https://a.test/jwks '
  }
  t.same(createBody(keyed), {
    ...body,
    type: 'confidential',
    tokenEndpointAuthMethod: 'private_key_jwt',
    jwksUri: 'https://a.test/jwks'
  })
  t.same(createBody({ ...keyed, type: 'public' }), { ...body, type: 'public' })
  t.same(changeBody(draft), { ...body, ...UNSET })
  t.match(createBody({ ...draft, noPkce: true }), { pkce: 'ifSent' })
  t.notOk('pkce' in createBody({ ...draft, noPkce: true, type: 'public' }))
})

test('the form of an existing client starts with its values', async (t) => {
  const client = {
    name: 'App',
    type: 'confidential',
    tokenEndpointAuthMethod: 'private_key_jwt',
    jwksUri: 'https://a.test/jwks',
    redirectUris: ['https://a.test/cb'],
    allowedScopes: ['write'],
    allowedResources: ['r'],
    postLogoutRedirectUris: ['https://a.test/out']
  } as unknown as ClientAnswer
  const draft = draftOf(client)
  t.match(draft, { proof: 'key', jwksUri: 'https://a.test/jwks', scopes: ['write'] })
  t.same(changeBody(draft), {
    name: 'App',
    redirectUris: ['https://a.test/cb'],
    allowedScopes: ['write'],
    allowedResources: ['r'],
    postLogoutRedirectUris: ['https://a.test/out'],
    ...UNSET
  })
})

test('grants, tenants and lifetimes are sent where they changed, and null takes them away', async (t) => {
  t.same(changedAccess(emptyAccess, emptyAccess), {})
  const grants = ['client_credentials']
  const filled = {
    ...emptyAccess,
    grants,
    owner: ' u1 ',
    tenants: ' acme \n\nglobex',
    expiresAt: '2030-01-31',
    accessTokenTtl: '120',
    refreshTokenTtl: 'soon'
  }
  t.same(changedAccess(filled, emptyAccess), {
    grantTypes: grants,
    owner: 'u1',
    tenants: ['acme', 'globex'],
    expiresAt: '2030-01-31T00:00:00.000Z',
    accessTokenTtl: 120,
    refreshTokenTtl: 'soon'
  })
  t.same(changedAccess({ ...filled, tenants: '', grants: emptyAccess.grants }, filled), {
    tenants: null,
    grantTypes: null
  })
  const stored = accessOf({ expiresAt: '2030-01-31T12:00:00.000Z' } as ClientAnswer)
  t.same(changedAccess(stored, stored), {}, 'a time that the field cannot show stays')
})

test('a choice adds an entry once and removes it', async (t) => {
  t.same(toggled(['a'], 'a', true), ['a'])
  t.same(toggled(['a'], 'b', true), ['a', 'b'])
  t.same(toggled(['a', 'b'], 'a', false), ['b'])
})

const NOW = Date.parse('2030-01-01T12:00:00.000Z')
type Outcome = 'passed' | 'refused' | 'waiting'
const attempt = (minutesAgo: number, ...steps: (readonly [step: string, outcome: Outcome])[]) => {
  const at = new Date(NOW - minutesAgo * 60_000).toISOString()
  return {
    id: '1',
    startedAt: at,
    steps: steps.map(([step, outcome]) => ({ at, step, outcome, detail: '' }))
  }
}

test('the ending of an attempt follows from its last step and its age', async (t) => {
  const ending = (...given: Parameters<typeof attempt>) => outcomeOf(attempt(...given), NOW).ending
  t.equal(ending(0), 'open')
  t.equal(ending(20), 'left')
  t.equal(ending(1, ['request', 'passed'], ['consent', 'waiting']), 'open')
  t.equal(ending(11, ['consent', 'waiting']), 'left')
  t.equal(ending(1, ['consent', 'passed']), 'open')
  t.equal(ending(3, ['consent', 'passed']), 'left', 'a code waits for seconds only')
  t.equal(ending(0, ['consent', 'refused']), 'refused')
  t.equal(ending(60, ['consent', 'passed'], ['token', 'passed']), 'done')
})

test('the usual cause of an ending is shown when the step does not say it', async (t) => {
  const meaning = (...given: Parameters<typeof attempt>) =>
    meaningOf(outcomeOf(attempt(...given), NOW))
  t.equal(meaning(30), undefined)
  t.equal(meaning(1, ['consent', 'waiting']), undefined, 'it may still go on')
  t.equal(meaning(30, ['login', 'waiting']), 'meaning.login')
  t.equal(meaning(30, ['consent', 'waiting']), 'meaning.consent')
  t.equal(meaning(30, ['consent', 'passed']), 'meaning.code')
  t.equal(meaning(30, ['decision', 'passed']), 'meaning.code')
  t.equal(meaning(30, ['request', 'passed']), undefined)
  t.equal(meaning(30, ['token', 'refused']), 'meaning.token')
  t.equal(meaning(30, ['request', 'refused']), undefined)
  t.equal(meaning(30, ['token', 'passed']), undefined)
})

test('endings are counted', async (t) => {
  const attempts = [attempt(0), attempt(20), attempt(1, ['client', 'refused']), attempt(20)]
  t.same(countEndings(attempts, NOW), { done: 0, refused: 1, open: 1, left: 2 })
})

test('audit paging continues within the same millisecond', async (t) => {
  const entry = (createdAt: string) =>
    ({ id: createdAt, type: 'x', actor: 'user', createdAt }) as const
  t.equal(beforeOf([]), undefined)
  t.equal(beforeOf([entry('2030-01-01T00:00:00.007Z')]), '2030-01-01T00:00:00.008Z')
})

test('audit types are named with and without prefix; misuse is an alarm', async (t) => {
  t.equal(kindOf('oauth.client_created'), 'client_created')
  t.ok(isAlarm({ type: 'code_replay' }))
  t.notOk(isAlarm({ type: 'oauth.client_created' }))
  t.same(['a', ['a', 'b'], 3].map(metaText), ['a', 'a b', '3'])
})

test('labels are given for ids that occur, and ids where the catalogue has none', async (t) => {
  const settings = resolveSettings({
    issuer: 'https://id.test',
    consentUrl: '/consent',
    resources: [{ id: 'https://id.test/mcp', label: 'Tools' }],
    scopes: [
      { id: 'read', label: 'Read' },
      { id: 'write', label: 'Write', sensitive: true },
      'other'
    ]
  } as unknown as Parameters<typeof resolveSettings>[0])
  const rows = [
    { scopes: ['read', 'gone'], resources: ['https://id.test/mcp'] },
    { scopes: ['write', 'read'], resources: ['https://gone.test'] }
  ]
  t.same(labelsOf(rows, settings), {
    scopes: [
      { id: 'read', label: 'Read' },
      { id: 'gone', label: 'gone' },
      { id: 'write', label: 'Write', sensitive: true }
    ],
    resources: [
      { id: 'https://id.test/mcp', label: 'Tools' },
      { id: 'https://gone.test', label: 'https://gone.test' }
    ]
  })
})

test('times are as short as on other pages: relative up to a day, then day and minute', async (t) => {
  const format = createFormat('en', 'UTC')
  const shown = (ago: number) => {
    const at = new Date(Date.now() - ago).toISOString()
    return String((timeWords(at, format, 'never') as TemplateResult).values[1])
  }
  t.equal(shown(57_000), '57s ago')
  t.equal(shown(3 * 3_600_000), '3h ago')
  t.match(shown(3 * 86_400_000), /^[A-Z][a-z]{2} \d+, \d\d:\d\d$|^[A-Z][a-z]{2} \d+, \d{4}$/)
  t.match((timeWords(undefined, format, 'never') as TemplateResult).values, ['never'])
})
