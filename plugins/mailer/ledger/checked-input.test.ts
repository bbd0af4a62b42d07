// The limits of what callers pass to operations.
import { test } from 'tap'
import { checkedInput, inputs } from './checked-input.ts'

const refused: readonly (readonly [keyof typeof inputs, unknown, RegExp])[] = [
  ['externalId', '', /value must not be empty/],
  ['externalId', 'x'.repeat(257), /at most 256 characters/],
  ['externalId', 5, /must be of type string, but is 5/],
  ['externalId', ['a'], /must be of type string/],
  ['externalId', { $ne: null }, /must be of type string/],
  ['eventName', 'x'.repeat(129), /at most 128/],
  ['dedupeKey', 'x'.repeat(513), /at most 512/],
  ['tag', 'x'.repeat(129), /at most 128/],
  ['notes', 'x'.repeat(1025), /at most 1024/],
  ['source', 'x'.repeat(257), /at most 256/],
  ['abortReason', 'x'.repeat(201), /at most 200/],
  ['slug', 'Not A Slug', /match/],
  ['email', 'no address', /must be a mail address/],
  ['email', 'a@b@c', /must be a mail address/],
  ['email', `${'x'.repeat(320)}@b.test`, /must be a mail address/],
  ['email', 'a@b.test\r\nbcc:c@d.test', /must be a mail address/],
  ['email', null, /must be of type string/],
  ['date', '2026-01-01', /must be a valid Date/],
  ['date', new Date('never'), /must be a valid Date/]
]
for (const [name, value, message] of refused) {
  test(`${name} refuses ${JSON.stringify(value)?.slice(0, 40)}`, async (t) => {
    t.throws(() => checkedInput('tag', inputs[name], value), { code: 'MLR_INPUT_INVALID', message })
  })
}

test('values within the limits are returned as they are', async (t) => {
  t.equal(checkedInput('tag', inputs.externalId, 'x'.repeat(256)), 'x'.repeat(256))
  t.equal(checkedInput('suppress', inputs.email, ' A@b.test'), ' A@b.test')
})
