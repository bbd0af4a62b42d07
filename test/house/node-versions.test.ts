// What is promised for Node installs: also with `engine-strict`.
import { readFileSync } from 'node:fs'
import semver from 'semver'
import { test } from 'tap'

interface Locked {
  readonly version?: string
  readonly dev?: boolean
  readonly engines?: { readonly node?: string }
}

// Seen from test/dist/house.
const read = (path: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8'))

test('every dependency of a package runs on the lowest Node that the packages promise', async (t) => {
  const { engines } = read('package.json') as { readonly engines: { readonly node: string } }
  const lowest = semver.minVersion(engines.node)?.version ?? ''
  const { packages } = read('package-lock.json') as {
    readonly packages: Readonly<Record<string, Locked>>
  }
  const needsMore = Object.entries(packages)
    .filter(([, { dev, engines: asked }]) => dev !== true && asked?.node !== undefined)
    .filter(([, { engines: asked }]) => !semver.satisfies(lowest, asked?.node ?? ''))
    .map(([path, { version, engines: asked }]) => `${path} ${version}: ${asked?.node}`)
  t.same(needsMore, [], lowest)
})
