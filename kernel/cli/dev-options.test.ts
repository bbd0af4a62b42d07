// What is given to keelson dev: settings and a viewer.
import { test } from 'tap'
import { readSettings, readViewer } from './dev-options.ts'

test('a setting is a path and a value, and the schema of the plugin says its type', async (t) => {
  t.same(readSettings(['token=a=b', 'limits.max=3', 'limits.min=1']), {
    value: {
      config: {
        token: '${KEELSON_DEV_SET_0}',
        limits: { max: '${KEELSON_DEV_SET_1}', min: '${KEELSON_DEV_SET_2}' }
      },
      env: { KEELSON_DEV_SET_0: 'a=b', KEELSON_DEV_SET_1: '3', KEELSON_DEV_SET_2: '1' }
    }
  })
})

test('a list, an object and a quoted text are JSON; an empty value is an empty text', async (t) => {
  t.same(readSettings(['words=["a"]', 'shape={"b":1}', 'name="7"', 'none=']), {
    value: { config: { words: ['a'], shape: { b: 1 }, name: '7', none: '' }, env: {} }
  })
})

for (const text of ['token', '=x', 'a..b=1', 'words=["a"']) {
  test(`--set ${text} is refused`, async (t) => {
    t.match(readSettings([text]), { fault: /--set/ })
  })
}

test('a viewer has a role and a tenant; without one it is an admin of the platform', async (t) => {
  t.match(readViewer('editor@acme'), { value: { role: 'editor', tenantId: 'acme' } })
  t.match(readViewer(), { value: { role: 'admin', tenantId: '*', viewerRef: 'user:dev' } })
  t.same(readViewer('none'), { value: null })
})

for (const text of ['editor', '@acme', 'editor@', 'a@b@c', '']) {
  test(`--viewer "${text}" is refused`, async (t) => {
    t.match(readViewer(text), { fault: /role@tenant/ })
  })
}
