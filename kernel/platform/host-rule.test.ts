// The host rule: which Host headers are the platform's.
import fc from 'fast-check'
import { test } from 'tap'
import { hostRule, isHostKnown } from './host-rule.ts'

const rule = hostRule({
  publicUrl: 'https://Shop.example:8443/base',
  hosts: ['app.internal', 'Proxy.test:3000'],
  listenHost: 'vm'
}) ?? { names: new Set<string>() }

test('without a public address and without what it listens on there is no rule', (t) => {
  t.equal(hostRule({ publicUrl: '', hosts: ['a.test'], listenHost: undefined }), undefined)
  t.equal(hostRule({ publicUrl: undefined, hosts: [], listenHost: undefined }), undefined)
  t.end()
})

test('the public address, the listen address, auth.hosts and loopback names are known', (t) => {
  const own = ['shop.example', 'SHOP.example:8443', 'shop.example.', 'vm:3000', 'app.internal']
  const loopback = ['localhost:80', '127.0.0.1:3000', '[::1]:3000', 'app.localhost']
  for (const header of [...own, 'proxy.test:9', ...loopback]) {
    t.ok(isHostKnown(rule, header, '10.0.0.7'), header)
  }
  t.end()
})

test('an address is known where the request arrived at it', (t) => {
  t.ok(isHostKnown(rule, '10.0.0.7:3000', '10.0.0.7'))
  t.ok(isHostKnown(rule, '10.0.0.7:3000', '::ffff:10.0.0.7'))
  t.ok(isHostKnown(rule, '[fe80::1]:3000', 'fe80::1%eth0'))
  t.notOk(isHostKnown(rule, '10.0.0.8:3000', '10.0.0.7'))
  const six = hostRule({ publicUrl: undefined, hosts: [], listenHost: '2001:DB8::1' })
  t.ok(six && isHostKnown(six, '[2001:db8::1]:3000', undefined))
  t.end()
})

test('every other name is unknown', (t) => {
  const headers = [
    undefined,
    '',
    'evil.test',
    'evil.test:3000',
    'shop.example.evil.test',
    'evilshop.example',
    'user@localhost',
    'localhost.evil.test',
    '0.0.0.0:3000',
    '127.0.0.1.evil.test'
  ]
  for (const header of headers) t.notOk(isHostKnown(rule, header, '10.0.0.7'), String(header))
  t.end()
})

test('no domain under a public suffix is known unless it is listed', (t) => {
  fc.assert(fc.property(fc.domain(), (domain) => !isHostKnown(rule, domain, '10.0.0.7')))
  t.end()
})
