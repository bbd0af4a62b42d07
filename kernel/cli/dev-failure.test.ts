// What keelson dev prints when a host does not start.
import { test } from 'tap'
import { errors } from '../errors/errors.ts'
import { joined } from '../platform/validate.ts'
import { describeFailure } from './dev-failure.ts'

const place = { plugin: 'alpha', configFile: '/my/alpha/keelson.config.json' }
const missing = (path: string) =>
  errors.KRN_PLUGIN_CONFIG_INVALID({ plugin: 'alpha', path, reason: 'is missing' })

test('a missing setting names the file and the flag that take it', async (t) => {
  t.same(describeFailure(missing('plugins.alpha.config.token'), place), {
    code: 'KRN_PLUGIN_CONFIG_INVALID',
    text: 'Plugin alpha: plugins.alpha.config.token in its config is missing. Set plugins.alpha.config.token in /my/alpha/keelson.config.json, or start with --set token=VALUE.'
  })
})

test('a setting of another plugin names the file alone', async (t) => {
  const { text } = describeFailure(missing('plugins.beta.config.key'), place)
  t.match(text, /Set plugins\.beta\.config\.key in .*keelson\.config\.json\.$/)
})

test('each of several problems has its own line', async (t) => {
  const paths = ['plugins.alpha.config.token', 'plugins.alpha.config.url']
  const { code, text } = describeFailure(joined(paths.map(missing)), place)
  t.equal(code, 'KRN_SEVERAL_PROBLEMS')
  t.match(text.split('\n'), [/--set token=VALUE/, /--set url=VALUE/])
})

test('an exception of the plugin shows its own lines and none of packages', async (t) => {
  const cause = new TypeError('x is not a function')
  cause.stack = [
    'TypeError: x is not a function',
    '    at register (/my/alpha/index.ts:3:5)',
    '    at adopt (/my/alpha/node_modules/@keelson/kernel/dist/a.js:1:1)',
    '    at process.processTicks (node:internal/process/task_queues:95:5)'
  ].join('\n')
  const reason = 'x is not a function'
  const failed = errors.KRN_REGISTER_FAILED({ plugin: 'alpha', reason, cause })
  const own = '    at register (/my/alpha/index.ts:3:5)'
  t.equal(describeFailure(failed, place).text, `${failed.message}\n${own}`)
  t.match(describeFailure(cause, place), {
    code: 'KRN_FAILED',
    text: `TypeError: x is not a function\n${own}`
  })
})

test('what is thrown and is not an error is printed as it is', async (t) => {
  t.same(describeFailure('no luck', place), { code: 'KRN_FAILED', text: 'no luck' })
})

test('a port in use is named with the variable that chooses another', async (t) => {
  const error = Object.assign(new Error('listen EADDRINUSE'), { code: 'EADDRINUSE', port: 3000 })
  t.same(describeFailure(error, place), {
    code: 'EADDRINUSE',
    text: 'Port 3000 is in use. Stop what uses it, or choose another one with PORT.'
  })
})
