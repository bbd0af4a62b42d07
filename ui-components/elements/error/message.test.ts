// What an error means to a person.
import { test } from 'tap'
import { translate } from '../../locales/catalog.ts'
import { BlockedError, errorText, RequestError } from './message.ts'

const words = (error: unknown) => errorText(error, (key, values) => translate('en', key, values))

test('the words of the server win', async (t) => {
  t.equal(
    words(new RequestError(400, { error: 'bad_limit', message: 'The limit is too high.' })),
    'The limit is too high.'
  )
})

test('the sentence of a language for the code comes before the words of the server', async (t) => {
  const german = (key: string) => (key === 'code.bad_limit' ? 'Das Limit ist zu hoch.' : key)
  const refused = { error: 'bad_limit', message: 'The limit is too high.', fix: 'Lower it.' }
  t.equal(errorText(new RequestError(400, refused), german), 'Das Limit ist zu hoch.')
  const other = new RequestError(400, { ...refused, error: 'bad_order' })
  t.equal(errorText(other, german), 'The limit is too high. Lower it.')
})

test('a status without a message gets a sentence', async (t) => {
  t.match(words(new RequestError(401, { error: 'unauthenticated' })), /signed out/)
  t.match(words(new RequestError(403, undefined)), /role/)
  t.match(words(new RequestError(429, 'text')), /Too many/)
  t.match(words(new RequestError(503, null)), /not running/)
  t.equal(words(new RequestError(500, {})), 'The server answered 500.')
})

test('an error keeps status, code and the rest of the body', async (t) => {
  const error = new RequestError(409, { error: 'count_mismatch', expected: 3 })
  t.same([error.status, error.code, error.detail['expected']], [409, 'count_mismatch', 3])
})

test('a missing answer gets its own sentence; other errors keep their message', async (t) => {
  t.match(words(new TypeError('Failed to fetch')), /cannot be reached/)
  t.equal(words(new TypeError('x is undefined')), 'x is undefined')
  t.equal(words('plain'), 'plain')
})

test('every form of an error body is read: ours, a standard’s, a sentence', async (t) => {
  const ours = new RequestError(400, {
    error: 'bad_range',
    code: 'TDB_RANGE',
    message: 'The range is invalid.',
    fix: 'Use two dates.',
    fields: [{ path: 'from', message: 'must be a date' }, { path: 3 }]
  })
  t.same([ours.code, ours.fix], ['bad_range', 'Use two dates.'])
  t.same(ours.fields, [{ path: 'from', message: 'must be a date' }])
  t.equal(words(ours), 'The range is invalid. Use two dates.')
  t.equal(
    words(new RequestError(400, { error: 'invalid_request', error_description: 'No scope.' })),
    'No scope.'
  )
  t.equal(words(new RequestError(400, { error: 'range is too long' })), 'range is too long')
  t.equal(new RequestError(400, { error: 'a sentence', code: 'X_1' }).code, 'X_1')
  t.same(new RequestError(500, { fields: 'none' }).fields, [])
})

test('a 401 gets the sentence of the page, which leads to the sign-in', async (t) => {
  t.match(words(new RequestError(401, { error: 'x', message: 'No session.' })), /Sign in again/)
})

test('a server of another origin that cannot be read names both origins and the setting', async (t) => {
  const error = new BlockedError('https://a.test', 'https://b.test', new TypeError('x'))
  t.match(words(error), /^https:\/\/a\.test .*https:\/\/b\.test is missing in auth\.embedOrigins/)
})
