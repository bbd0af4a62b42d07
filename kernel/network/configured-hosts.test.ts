// Hosts that a plugin's config names.
import { test } from 'tap'
import { configuredHosts, operatorHosts } from './configured-hosts.ts'

test('an entry of the manifest is used unchanged', async (t) => {
  t.same(configuredHosts(['example.com', '[::1]:3000'], {}), ['example.com', '[::1]:3000'])
})

test('a place in the config stands for the host, the address or the list that is there', async (t) => {
  const config = {
    one: { host: 'a.example:8443' },
    url: 'https://b.example/v1',
    list: ['c.example', '']
  }
  t.same(configuredHosts(['${one.host}', '${url}', '${list}'], config), [
    'a.example:8443',
    'b.example',
    'c.example'
  ])
})

test('a setting that is absent, inherited or no text adds no host', async (t) => {
  const places = ['${none}', '${a.b.c}', '${constructor.name}', '${number}', '${broken}']
  t.same(configuredHosts(places, { a: null, number: 5, broken: 'https://' }), [])
  t.same(configuredHosts(['${x}'], undefined), [])
})

test('a place within a name stands for one label of it', async (t) => {
  const entry = 'mail.${region}.example.com'
  t.same(configuredHosts([entry], { region: 'eu-central-1' }), ['mail.eu-central-1.example.com'])
  for (const region of [undefined, '', 'a.b', 'x/y', 7])
    t.same(configuredHosts([entry], { region }), [])
})

test('hosts of the operator are those of the config, not those of the manifest', async (t) => {
  const declared = ['fixed.example:8443', '${hooks}']
  t.same(operatorHosts(declared, { hooks: ['10.0.0.5:8080', 'https://a.example/in'] }), [
    '10.0.0.5:8080',
    'a.example'
  ])
})
