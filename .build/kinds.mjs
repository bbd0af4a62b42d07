// Counts kinds of things, and the lines of each package: of a commit, or of HEAD. Usage: node .build/kinds.mjs [commit]
import { execFileSync } from 'node:child_process'

const [commit = 'HEAD'] = process.argv.slice(2)
const run = (args, input) => execFileSync('git', args, { input, maxBuffer: 1 << 30 })

function textsOf(paths) {
  const out = run(['cat-file', '--batch'], paths.map((path) => `${commit}:${path}`).join('\n'))
  let at = 0
  return paths.map((path) => {
    const end = out.indexOf('\n', at)
    const size = Number(out.toString('utf8', at, end).split(' ').at(-1))
    at = end + size + 2
    return { path, text: out.toString('utf8', end + 1, end + 1 + size) }
  })
}

const listed = run(['ls-tree', '-r', '--name-only', commit]).toString().split('\n')
const modules = textsOf(listed.filter((path) => /\.(ts|mjs|js|css)$/.test(path)))
const isTest = (path) => /\.test\.|\.fixture\.|(^|\/)test(ing)?\//.test(path)
const served = modules.filter(
  ({ path }) => !isTest(path) && /^(kernel|sdk|plugins|ui-components)\//.test(path)
)

/** What each kind is known by, in the sources of platform and plugins. */
const KINDS = {
  'forms of a route': /export (interface|type) (\w*Route|Operation)\b/,
  'fields of a lease': /\b(leaseUntil|leasedUntil|claimedUntil|lockedAt|triggerLease)\b/,
  'signers of webhooks': /'webhook-signature'/,
  'tables bound by hand': /^(?!.*ui-components)[\s\S]*<keelson-table/,
  'readers of stored versions': /collections\.\w*[vV]ersions\b/,
  'printers of OpenAPI': /openapi: '3/
}
for (const [kind, sign] of Object.entries(KINDS)) {
  const found = served.filter(({ path, text }) => !/^ui-/.test(path) && sign.test(text))
  console.log(`${kind}: ${found.length}${found.map(({ path }) => `\n  ${path}`).join('')}`)
}
const index = modules.find(({ path }) => path === 'plugins/mailer/index.ts')?.text ?? ''
const lists = [...index.matchAll(/export (?:type )?\{([^}]*)\}/g)].map(([, list]) => list)
const names = lists.flatMap((list) => list.split(',')).filter((name) => name.trim() !== '')
console.log(`names of @keelson/mailer: ${names.length}`)

const sums = new Map()
for (const { path, text } of modules) {
  const name = /^plugins\/deliverability\/[^/]+|^plugins\/[^/]+|^[^/]+/.exec(path)[0]
  for (const key of [name, 'all']) {
    const sum = sums.get(key) ?? { sources: [0, 0], tests: [0, 0] }
    const part = isTest(path) ? sum.tests : sum.sources
    part[0] += 1
    part[1] += text.split('\n').length - 1
    sums.set(key, sum)
  }
}
console.log('package: files and lines of sources; of tests')
for (const [name, { sources, tests }] of [...sums].sort())
  console.log(`${name}: ${sources.join(' ')}; ${tests.join(' ')}`)
