// How plugins are, in words for people.
import { test } from 'tap'
import { errors } from '../errors/errors.ts'
import { createPluginStates } from './plugin-state.ts'

const states = () => createPluginStates((text) => text.replaceAll('s3cr3t', '[secret]'))

test('a plugin starts and becomes ready', async (t) => {
  const all = states()
  const alpha = all.add('alpha', '1.0.0')
  t.equal(alpha.state.state, 'starting')
  alpha.ready()
  t.same(all.list(), [{ id: 'alpha', version: '1.0.0', state: 'ready' }])
  t.equal(alpha.downReason, undefined)
  t.equal(all.of('alpha'), alpha)
  t.equal(all.of('beta'), undefined)
})

test('a failure says phase, code, reason and remedy', async (t) => {
  const alpha = states().add('alpha', '1.0.0')
  alpha.fail('prepare', errors.KRN_PREPARE_FAILED({ plugin: 'alpha', reason: 'no s3cr3t tide' }))
  t.match(alpha.state, {
    state: 'failed',
    phase: 'prepare',
    code: 'KRN_PREPARE_FAILED',
    reason: 'Plugin alpha could not prepare: no [secret] tide.',
    remedy: /onFailure/
  })
  t.equal(alpha.downReason, 'failed in the phase prepare (KRN_PREPARE_FAILED)')
})

test('what failed or was disabled does not become ready', async (t) => {
  const alpha = states().add('alpha', '1.0.0')
  alpha.disable(errors.KRN_SWITCHED_OFF({ plugin: 'alpha' }))
  alpha.ready()
  t.equal(alpha.state.state, 'disabled')
  t.match(alpha.downReason, 'switched off')
})

test('a degraded plugin still answers', async (t) => {
  const alpha = states().add('alpha', '1.0.0')
  alpha.degrade(errors.KRN_PAGE_MODULE({ plugin: 'alpha', path: 'pages[0]', file: 'x.js' }))
  t.match(alpha.state, { state: 'degraded', code: 'KRN_PAGE_MODULE' })
  t.equal(alpha.downReason, undefined)
})
