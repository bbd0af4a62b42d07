// What an entry of the audit log changed, by a name that people know.
import { test } from 'tap'
import { changedName } from './changed-name.ts'

const HASH = `${'65c1011f'.repeat(8)}:all`

test('an entry names the slug, the address, or the id of what was changed', async (t) => {
  const name = (entry: object) => changedName({ resource: { collection: 'x' }, ...entry })
  t.equal(name({ resource: { collection: 'flows', slug: 'onboarding' } }), 'onboarding')
  const flow = { resource: { collection: 'flows', slug: 'onboarding' } }
  t.equal(name({ ...flow, names: { flow: 'Onboarding' } }), 'Onboarding')
  t.equal(name({ ...flow, names: {} }), 'onboarding', 'one that was deleted')
  const token = { resource: { collection: 'tokens', slug: 'weekly-report-a04da2f7cd32' } }
  t.equal(name({ ...token, after: { name: 'weekly-report' } }), 'weekly-report')
  t.equal(
    name({ ...token, before: { name: 'weekly-report' } }),
    'weekly-report',
    'one that is gone'
  )
  t.equal(name({ resource: { collection: 'contacts', id: 'u10' } }), 'u10')
  const alert = { slug: 'unknown_source_failing|acme.test|192.0.2.1' }
  t.equal(
    name({ resource: alert }),
    'acme.test · 192.0.2.1',
    'a code that leads a name is left out'
  )
  t.equal(name({ resource: { id: alert.slug } }), 'acme.test · 192.0.2.1')
  t.equal(name({ resource: { slug: 'acme.test|marketing' } }), 'acme.test · marketing')
  t.equal(name({}), '', 'an entry about a whole collection: its code is for no reader')
  const suppression = { resource: { collection: 'suppressions', id: HASH } }
  t.equal(name({ ...suppression, after: { email: 'a@b.test' } }), 'a@b.test')
  t.equal(name({ ...suppression, before: { email: 'a@b.test' } }), 'a@b.test', 'one that is gone')
  t.equal(name(suppression), '65c1011f…:all', 'a hash is cut, where the address was erased')
})
