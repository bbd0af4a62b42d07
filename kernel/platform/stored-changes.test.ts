// Settings laid over a config: what they change, and what they leave.
import fc from 'fast-check'
import { test } from 'tap'
import { fillPlaceholders, literal } from './placeholders.ts'
import { withChanges, withValue } from './stored-changes.ts'

const file = {
  shell: { title: 'Acme' },
  plugins: {
    mailer: {
      package: './mailer',
      config: { from: { name: 'Acme', email: 'a@acme.test' }, tags: ['a'] }
    },
    dmarc: { enabled: false }
  }
}

test('a change is laid over the entry of its plugin, and everything else stays', async (t) => {
  const changes = {
    mailer: { config: { from: { name: 'Globex' }, tags: ['b', 'c'] } },
    dmarc: { enabled: true },
    snds: { enabled: true }
  }
  t.same(withChanges(file, changes), {
    shell: { title: 'Acme' },
    plugins: {
      mailer: {
        package: './mailer',
        config: { from: { name: 'Globex', email: 'a@acme.test' }, tags: ['b', 'c'] }
      },
      dmarc: { enabled: true },
      snds: { enabled: true }
    }
  })
  t.equal(withChanges(file, {}), file)
})

test('a value goes to its path, and an object that is empty without it goes with it', async (t) => {
  const one = withValue({}, ['a', 'b'], 1)
  t.same(one, { a: { b: 1 } })
  t.same(withValue(one, ['c'], false), { a: { b: 1 }, c: false })
  t.same(withValue(one, ['a', 'b'], undefined), {})
})

test('any text that is set means itself, whatever the environment holds', async (t) => {
  const part = fc.constantFrom('$', '{', '}', '${', '$${', '${HOME}', '${A:b}', ':', 'x', '\\')
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const text = parts.join('')
      const { value, missing } = fillPlaceholders(literal(text), { HOME: '/root', A: 'a' })
      return value === text && missing.length === 0
    })
  )
  t.pass()
})

test('any change can be set and reset, and leaves what was there', async (t) => {
  const key = fc.constantFrom('a', 'b', 'c')
  const path = fc.array(key, { minLength: 1, maxLength: 3 })
  fc.assert(
    fc.property(path, fc.jsonValue(), (at, value) => {
      const before = { other: 1 }
      const isEmpty = JSON.stringify(value) === '{}'
      const set = withValue(before, at, value)
      const found = at.reduce<unknown>((now, each) => (now as Record<string, unknown>)?.[each], set)
      const isSet = JSON.stringify(found) === JSON.stringify(value) || (isEmpty && at.length > 1)
      return isSet && JSON.stringify(withValue(set, at, undefined)) === JSON.stringify(before)
    })
  )
  t.pass()
})
