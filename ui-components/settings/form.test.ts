// What a form of settings sends: only what was changed, as the type of each setting has it.
import { test } from 'tap'
import { type FormSetting, readSettingForm, UnreadableSetting } from './index.ts'

const setting = (path: string, more: Partial<FormSetting>): FormSetting => ({
  path,
  title: path,
  type: 'text',
  isSecret: false,
  isSet: true,
  isChanged: false,
  ...more
})

const settings = [
  setting('name', { value: 'Acme' }),
  setting('on', { type: 'boolean', value: true }),
  setting('size', { type: 'integer', value: 3 }),
  setting('mode', { type: 'choice', choices: ['a', 'b'], value: 'a' }),
  setting('hosts', { type: 'json', value: ['x'] }),
  setting('inbound.secret', { isSecret: true }),
  setting('tokens', { type: 'json', isSecret: true })
]

const shown = {
  name: 'Acme',
  on: 'true',
  size: '3',
  mode: 'a',
  hosts: '[\r\n  "x"\r\n]',
  'inbound.secret': '',
  tokens: ''
}

function sent(typed: Readonly<Record<string, string>>) {
  const data = new FormData()
  for (const [name, value] of Object.entries({ ...shown, ...typed })) data.set(name, value)
  return readSettingForm(data, settings)
}

test('what was not changed is not sent, so that a secret stays', async (t) => {
  t.same(sent({}), [])
})

test('each change is sent as its type', async (t) => {
  const rows: [Record<string, string>, object][] = [
    [{ name: '' }, { path: 'name', value: '' }],
    [{ on: 'false' }, { path: 'on', value: false }],
    [{ size: '5' }, { path: 'size', value: 5 }],
    [{ size: '' }, { path: 'size', reset: true }],
    [{ mode: 'b' }, { path: 'mode', value: 'b' }],
    [{ hosts: '["y"]' }, { path: 'hosts', value: ['y'] }],
    [{ hosts: ' ' }, { path: 'hosts', reset: true }],
    [{ tokens: '["KEELSON_SECRET_A"]' }, { path: 'tokens', value: ['KEELSON_SECRET_A'] }],
    [
      { 'inbound.secret': 'KEELSON_SECRET_A' },
      { path: 'inbound.secret', value: 'KEELSON_SECRET_A' }
    ],
    [
      { 'reset:name': 'on', name: 'other' },
      { path: 'name', reset: true }
    ]
  ]
  for (const [typed, change] of rows) t.same(sent(typed), [change], JSON.stringify(typed))
  t.throws(() => sent({ hosts: '[' }), new UnreadableSetting('hosts'))
})
