// The printed pages of a plugin.
import type { ManifestRoute } from '@keelson/sdk'
import { test } from 'tap'
import { printSheets } from './sheets.ts'

test('a plugin that declares nothing keeps nothing', async (t) => {
  const sheets = printSheets({
    manifestVersion: 1,
    id: 'alpha',
    name: 'Alpha',
    version: '1.0.0',
    kernel: '*',
    description: 'For tests.',
    license: 'MIT'
  })
  const notice = 'Printed from `plugin.json` by `keelson check --write`. Do not edit.'
  t.equal(sheets['STORAGE.md'], `# Alpha: storage\n\n${notice}\n\nThis plugin keeps nothing.\n`)
  t.equal(sheets['PERMISSIONS.md'], `# Alpha: what it may touch\n\n${notice}\n`)
})

test('everything that is declared is on the pages', async (t) => {
  const sheets = printSheets({
    manifestVersion: 1,
    id: 'alpha',
    name: 'Alpha',
    version: '1.0.0',
    kernel: '*',
    description: 'For tests.',
    license: 'MIT',
    routes: [
      { method: 'GET', path: '/items', auth: 'viewer', summary: 'All items.' },
      { method: 'POST', at: '/mcp', auth: 'bearer', scopes: ['a:read'], summary: 'Tools.' }
    ] as unknown as ManifestRoute[],
    collections: [
      {
        name: 'alpha_items',
        indexes: [
          { name: 'by_key', keys: { key: 1, at: -1 }, unique: true },
          { name: 'by_at', keys: { at: 1 }, ttlSeconds: 60, sparse: true },
          { name: 'by_open', keys: { state: 1 }, partial: { state: 'open' } },
          { name: 'plain', keys: { x: 1, tenantId: 1 } }
        ],
        indexBudget: 8,
        payloadIndexBudget: 24,
        personalData: ['email'],
        retention: '30 days',
        shardKey: { tenantId: 'hashed' }
      },
      { name: 'alpha_notes', indexes: [] }
    ],
    jobs: [
      { name: 'sweep', every: '1 hour' },
      { name: 'nightly', cron: '0 3 * * *' }
    ],
    queues: [{ name: 'work', collection: 'alpha_notes' }],
    pages: [
      { id: 'main', element: 'alpha-main', module: './main.js', title: 'Main', role: 'admin' }
    ],
    network: ['api.example.test:443'],
    provides: ['alpha.store/v1'],
    uses: ['beta.store/v1', { capability: 'gamma.store/v1', optional: true }],
    migrations: [
      { id: 'one', summary: 'First.' },
      { id: 'two', phase: 'before', summary: 'Second.' }
    ]
  })
  for (const line of [
    'Index budget: 4 of 8. From configuration: up to 24. Retention: 30 days. Personal data: `email`. Shard key: `tenantId: hashed`.',
    '| index | keys | options | on a cluster |',
    '| by_key | `key`, `at: -1` | unique | all shards |',
    '| by_at | `at` | sparse, expires after 60 s | all shards |',
    '| by_open | `state` | partial `{"state":"open"}` | all shards |',
    '| plain | `x`, `tenantId` | – | one shard |',
    'Index budget: 0 of 6. Retention: not stated.',
    '- `one` (after): First.\n- `two` (before): Second.'
  ]) {
    t.ok(sheets['STORAGE.md']?.includes(line), line)
  }
  for (const line of [
    '- `GET /items` – viewer: All items.\n- `POST /mcp` – bearer (a:read): Tools.',
    '- `main` – admin: Main',
    '- `alpha_items`\n- `alpha_notes`',
    '- `sweep` – every 1 hour\n- `nightly` – 0 3 * * *',
    '- `work` in `alpha_notes`',
    '- `api.example.test:443`',
    '- `alpha.store/v1`',
    '- `beta.store/v1`\n- `gamma.store/v1` (when it is there)'
  ]) {
    t.ok(sheets['PERMISSIONS.md']?.includes(line), line)
  }
})
