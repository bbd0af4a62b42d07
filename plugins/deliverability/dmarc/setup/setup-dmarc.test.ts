// The command setup-dmarc: its flags, the records, and publishing at Cloudflare.
import { test } from 'tap'
import { publishRecord } from './cloudflare.ts'
import { type RecordFlags, readRequest, recordsFor } from './record-to-publish.ts'

const FLAGS: RecordFlags = {
  domain: ['acme.test'],
  ruaMailbox: ['dmarc@acme.test'],
  rufMailbox: [],
  policy: 'none',
  pct: '100',
  aspf: 'r',
  adkim: 'r'
}

function recordsOf(change: Partial<RecordFlags>) {
  const request = readRequest({ ...FLAGS, ...change })
  return 'wrongUse' in request ? request : recordsFor(request)
}

test('wrong flags are refused by name', (t) => {
  const wrong: readonly (readonly [Partial<RecordFlags>, RegExp])[] = [
    [{ domain: [] }, /--domain is missing/],
    [{ domain: ['nonsense'] }, /--domain must be/],
    [{ ruaMailbox: [] }, /--rua-mailbox is missing/],
    [{ ruaMailbox: ['nonsense'] }, /mailbox/],
    [{ policy: 'strict' }, /--policy/],
    [{ pct: '101' }, /--pct/],
    [{ pct: '0' }, /--pct/],
    [{ aspf: 'x' }, /--aspf/],
    [{ adkim: 'x' }, /--adkim/]
  ]
  for (const [change, wrongUse] of wrong) t.match(recordsOf(change), { wrongUse })
  t.end()
})

test('defaults are left out, and mailboxes elsewhere get their authorisation', (t) => {
  t.same(recordsOf({}), [
    { name: '_dmarc.acme.test', type: 'TXT', value: 'v=DMARC1; p=none; rua=mailto:dmarc@acme.test' }
  ])
  const full = {
    domain: ['a.test,b.test'],
    ruaMailbox: ['dmarc@acme.example.com'],
    rufMailbox: ['ruf@b.test'],
    policy: 'quarantine',
    pct: '25',
    aspf: 's',
    adkim: 's'
  }
  const value =
    'v=DMARC1; p=quarantine; rua=mailto:dmarc@acme.example.com; ruf=mailto:ruf@b.test; pct=25; aspf=s; adkim=s'
  t.same(recordsOf(full), [
    { name: '_dmarc.a.test', type: 'TXT', value },
    { name: 'a.test._report._dmarc.acme.example.com', type: 'TXT', value: 'v=DMARC1' },
    { name: 'a.test._report._dmarc.b.test', type: 'TXT', value: 'v=DMARC1' },
    { name: '_dmarc.b.test', type: 'TXT', value },
    { name: 'b.test._report._dmarc.acme.example.com', type: 'TXT', value: 'v=DMARC1' }
  ])
  t.end()
})

interface Stored {
  readonly id: string
  readonly name: string
  content: string
}

/** Cloudflare with one zone. */
function cloudflare() {
  const records: Stored[] = []
  const changes: string[] = []
  const answer = (result: unknown, status = 200) =>
    new Response(JSON.stringify({ result, errors: [{ message: 'not found' }] }), { status })
  const fetch = (async (input: string, { method = 'GET', body = '{}' } = {}) => {
    const url = new URL(input)
    const path = url.pathname.replace('/client/v4', '')
    const given = JSON.parse(body)
    if (path === '/zones') {
      return answer(url.searchParams.get('name') === 'acme.test' ? [{ id: 'z' }] : [])
    }
    const id = path.split('/')[4]
    if (method !== 'GET') changes.push(method)
    if (method === 'GET') {
      return answer(records.filter(({ name }) => name === url.searchParams.get('name')))
    }
    if (method === 'POST') {
      records.push({ id: `r${records.length}`, ...given })
      return answer(records.at(-1))
    }
    const at = records.findIndex((one) => one.id === id)
    const found = records[at]
    if (found === undefined) return answer(null, 404)
    if (method === 'DELETE') records.splice(at, 1)
    else found.content = given.content
    return answer({ id })
  }) as unknown as typeof globalThis.fetch
  const options = {
    token: 't',
    baseUrl: 'https://cloudflare.test/client/v4',
    fetch,
    signal: new AbortController().signal
  }
  return { records, changes, options }
}

test('a record is created once, changed where it differs, and otherwise only read', async (t) => {
  const { records, changes, options } = cloudflare()
  const record = { name: '_dmarc.mail.acme.test', type: 'TXT', value: 'v=DMARC1; p=none' } as const
  t.match(await publishRecord(options, record), { state: 'created' })
  t.match(await publishRecord(options, record), { state: 'unchanged' })
  t.same(changes, ['POST'])
  const stricter = { ...record, value: 'v=DMARC1; p=reject' }
  t.match(await publishRecord(options, stricter), { state: 'changed' })
  t.match(records, [{ content: '"v=DMARC1; p=reject"' }])
  records.push({ id: 'double', name: record.name, content: '"v=DMARC1; p=none"' })
  records.push({ id: 'other', name: record.name, content: '"something else"' })
  t.match(await publishRecord(options, stricter), { state: 'changed' })
  t.same(
    records.map(({ id }) => id),
    ['r0', 'other']
  )
  const foreign = { ...record, name: '_dmarc.b.example' }
  await t.rejects(publishRecord(options, foreign), { code: 'DMR_CLOUDFLARE' })
})
