// Mistakes with collections, indexes, jobs, queues and calls to other hosts.
import type { AuthorMistake } from './author-mistake.ts'
import { answering, collection, other, registering, route } from './plugin-source.ts'

const daily = { name: 'sweep', every: '1 hour' }

export const storageMistakes: readonly AuthorMistake[] = [
  {
    what: 'a collection that is not declared',
    source: registering("host.collection('alpha_items')"),
    code: 'KRN_COLLECTION_UNDECLARED',
    path: 'collections',
    says: ['alpha_items', 'Declare it under `collections`']
  },
  {
    what: 'a collection without the prefix of the plugin',
    manifest: { collections: [{ ...collection, name: 'items' }] },
    code: 'KRN_COLLECTION_PREFIX',
    path: 'collections[0].name',
    says: ['"items"', '"alpha_"', 'Rename the collection']
  },
  {
    what: 'a collection that another plugin has',
    manifest: {
      collections: [{ ...collection, name: 'shared_items' }],
      collectionPrefix: 'shared'
    },
    files: {
      ...other('beta', {
        collections: [{ ...collection, name: 'shared_items' }],
        collectionPrefix: 'shared'
      }),
      'keelson.config.json': { plugins: { beta: { package: './beta' } } }
    },
    code: 'KRN_COLLECTION_TAKEN',
    path: 'collections[0].name',
    says: ['"shared_items"', 'declares too', 'Rename one']
  },
  {
    what: 'more indexes than the budget',
    manifest: { collections: [{ ...collection, indexBudget: 0 }] },
    code: 'KRN_INDEX_COUNT',
    path: 'collections[0].indexes',
    says: ['alpha_items', '1, over its index budget of 0', 'Remove indexes, or raise']
  },
  {
    what: 'an index that expires documents by two keys',
    manifest: {
      collections: [
        { ...collection, indexes: [{ name: 'old', keys: { a: 1, b: 1 }, ttlSeconds: 60 }] }
      ]
    },
    code: 'KRN_INDEX_TTL',
    path: 'collections[0].indexes[0]',
    says: ['ttlSeconds', 'exactly one key']
  },
  {
    what: 'an index made by hand in register',
    manifest: { collections: [collection] },
    source: registering("await host.collection('alpha_items').createIndex({ b: 1 })"),
    code: 'KRN_INDEX_BY_HAND',
    path: 'collections',
    says: ['createIndex({"b":1})', '"alpha_items"', 'Declare the index']
  },
  {
    what: 'an index made by hand in a handler',
    manifest: { collections: [collection], routes: [route('/days', { auth: 'admin' })] },
    source: registering(
      answering('/days', "await host.collection('alpha_items').createIndex({ b: 1 }); return {}")
    ),
    code: 'KRN_INDEX_BY_HAND',
    path: 'collections',
    says: ['createIndex({"b":1})', '"alpha_items"']
  },
  {
    what: 'a query that no index serves',
    manifest: { collections: [collection], routes: [route('/days', { auth: 'admin' })] },
    source: registering(
      answering(
        '/days',
        "const items = host.collection('alpha_items'); await items.insertOne({ b: 1 }); return items.find({ b: 1 }).toArray()"
      )
    ),
    code: 'KRN_CLI_QUERY_UNINDEXED',
    path: 'collections[0]',
    says: ['alpha_items', '"filter":{"b":1}', 'begins with the fields of the filter']
  }
]

export const workMistakes: readonly AuthorMistake[] = [
  {
    what: 'a job that throws',
    manifest: { jobs: [daily] },
    source: registering("host.job('sweep', () => { throw new Error('no luck') })"),
    code: 'KRN_CLI_JOB_FAILED',
    path: 'jobs[0]',
    says: ['"sweep"', 'no luck', 'Correct the handler']
  },
  {
    what: 'a job that is not declared',
    source: registering("host.job('sweep', () => {})"),
    code: 'KRN_JOB_UNDECLARED',
    path: 'jobs',
    says: ['"sweep"', 'Declare it under `jobs`']
  },
  {
    what: 'a job without its code',
    manifest: { jobs: [daily] },
    code: 'KRN_JOB_MISSING',
    path: 'jobs[0]',
    says: ['"sweep"', 'host.job']
  },
  {
    what: 'a cron expression of six fields',
    manifest: { jobs: [{ name: 'sweep', cron: '0 0 3 * * *' }] },
    code: 'KRN_JOB_TIMES',
    path: 'jobs[0].cron',
    says: ['is not a cron expression', 'five fields']
  },
  {
    what: 'an interval in milliseconds',
    manifest: { jobs: [{ name: 'sweep', every: '5000ms' }] },
    code: 'KRN_MANIFEST_INVALID',
    path: 'jobs[0].every',
    says: ['must be an interval such as "5 minutes"']
  },
  {
    what: 'a queue over a collection that is not declared',
    manifest: { queues: [{ name: 'mails', collection: 'alpha_mails' }] },
    code: 'KRN_QUEUE_COLLECTION',
    path: 'queues[0].collection',
    says: ['"alpha_mails"', 'Declare it under `collections`']
  },
  {
    what: 'a host that is not declared, called in a handler',
    manifest: { routes: [route('/days')] },
    source: registering(
      answering('/days', "await host.fetch('https://api.other.example/'); return {}")
    ),
    code: 'KRN_HOST_UNDECLARED',
    path: 'network',
    says: ['api.other.example', 'Declare the host under `network`']
  },
  {
    what: 'a host that is not declared, called in a job',
    manifest: { jobs: [daily] },
    source: registering("host.job('sweep', () => host.fetch('https://api.other.example/'))"),
    code: 'KRN_HOST_UNDECLARED',
    path: 'network',
    says: ['api.other.example', 'Declare the host under `network`']
  }
]
