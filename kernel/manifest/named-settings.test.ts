// Settings that plugin.json names, held against the config schema of the code.
import { Type } from '@keelson/sdk'
import { test } from 'tap'
import { sampleManifest, sampleRoute } from '../testing/sample-manifest.ts'
import { settingProblems } from './named-settings.ts'

const config = Type.Object({
  adminTenants: Type.Optional(Type.Array(Type.String())),
  provider: Type.Object({ baseUrl: Type.String() }),
  free: Type.Unknown(),
  byName: Type.Record(Type.String(), Type.Object({ url: Type.String() }))
})
const problems = (more: Readonly<Record<string, unknown>>) =>
  settingProblems(sampleManifest('alpha', more), { config }).map(({ message }) => message)

test('settings that the schema has, or leaves open, are right', async (t) => {
  const routes = [sampleRoute('GET', '/a', { auth: 'admin', tenants: '${adminTenants}' })]
  const network = ['${provider.baseUrl}', 'mail.${free.region}.example.com', '${byName.x.url}']
  t.same(problems({ routes, network }), [])
})

test('a setting that no config can have is refused where it is named, with the nearest name', async (t) => {
  const routes = [sampleRoute('GET', '/a', { auth: 'admin', tenants: '${tenants}' })]
  const pages = [
    {
      id: 'list',
      element: 'alpha-list',
      module: './list.js',
      title: 'List',
      role: 'admin',
      tenants: '${adminTenant}'
    }
  ]
  t.match(problems({ routes, pages, network: ['${provider.url}'] }), [
    /network\[0\].*provider\.url/,
    /pages\[0\]\.tenants.*adminTenant.*Did you mean adminTenants\?/,
    /routes\[0\]\.tenants.*the setting tenants/
  ])
})
