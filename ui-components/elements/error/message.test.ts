// What an error means to a person.
import { test } from 'tap'
import { translate } from '../../locales/catalog.ts'
import { errorText, RequestError } from './message.ts'

const words = (error: unknown) => errorText(error, (key, values) => translate('en', key, values))

test('the words of the server win', async (t) => {
  t.equal(
    words(new RequestError(400, { error: 'bad_limit', message: 'The limit is too high.' })),
    'The limit is too high.'
  )
})

test('a status without words is told in ours', async (t) => {
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

test('no answer at all is told as such; other errors say what they say', async (t) => {
  t.match(words(new TypeError('Failed to fetch')), /cannot be reached/)
  t.equal(words(new TypeError('x is undefined')), 'x is undefined')
  t.equal(words('plain'), 'plain')
})
