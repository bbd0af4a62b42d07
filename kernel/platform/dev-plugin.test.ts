// The plugin that keelson dev adds to an existing app.
import { test } from 'tap'
import { DEV_PLUGIN, withDevPlugin } from './dev-plugin.ts'

const text = (content: unknown) => ({ source: 'a test', baseDir: '/app', content, plugins: [] })
const added = { id: 'alpha', folder: '/work/alpha', config: { limits: { max: 3 } } }
const env = { [DEV_PLUGIN]: JSON.stringify(added) }

test('the plugin is added to the config of the app, which stays as it is', async (t) => {
  const { content } = withDevPlugin(
    text({ shell: { title: 'Shop' }, plugins: { mailer: {} } }),
    env
  )
  t.same(content, {
    shell: { title: 'Shop' },
    plugins: {
      mailer: {},
      alpha: { package: '/work/alpha', enabled: true, config: { limits: { max: 3 } } }
    }
  })
  t.match(withDevPlugin(text(undefined), env).content, { plugins: { alpha: {} } })
})

test('an installed version gives way, and keeps its settings', async (t) => {
  const entry = { package: 'alpha', mount: '/a', config: { token: 'x', limits: { min: 1 } } }
  const { content } = withDevPlugin(text({ plugins: { alpha: entry } }), env)
  t.same(content, {
    plugins: {
      alpha: {
        package: '/work/alpha',
        mount: '/a',
        enabled: true,
        config: { token: 'x', limits: { min: 1, max: 3 } }
      }
    }
  })
})

test('without the command, and in production, the config is that of the app', async (t) => {
  const given = text({ plugins: {} })
  t.equal(withDevPlugin(given, {}), given)
  t.equal(withDevPlugin(given, { ...env, NODE_ENV: 'production' }), given)
})
