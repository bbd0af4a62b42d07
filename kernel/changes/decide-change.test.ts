// Which changes of a platform are refused, over real graphs of plugins.
import fc from 'fast-check'
import { test } from 'tap'
import { pluginsOf } from '../platform/platform.ts'
import { validatePlatform } from '../platform/validate.ts'
import { samplePlugin } from '../testing/fake-host.ts'
import { refusalOf } from './decide-change.ts'

/** `needs[at]`: the plugins before it that it requires. */
function pluginsWith(needs: readonly (readonly number[])[]) {
  return needs.map((required, at) => {
    const requires = Object.fromEntries(required.map((other) => [`p${other}`, '*']))
    return samplePlugin(`p${at}`, required.length > 0 ? { requires } : {})
  })
}

const platformOf = (plugins: ReturnType<typeof pluginsWith>, off: readonly string[]) =>
  validatePlatform({
    config: {},
    plugins,
    changes: Object.fromEntries(off.map((id) => [id, { enabled: false }]))
  })

test('what others need is not disabled, and what lacks its need is not enabled', async (t) => {
  const plugins = pluginsWith([[], [0], [1]])
  const rows = [
    { off: [], now: ['p2'], plugin: 'p2', code: undefined },
    { off: [], now: ['p0'], plugin: 'p0', code: 'KRN_CHANGE_NEEDED', words: /p1, p2 would stop/ },
    { off: ['p1', 'p2'], now: ['p2'], plugin: 'p1', code: undefined },
    { off: ['p1', 'p2'], now: ['p1'], plugin: 'p2', code: 'KRN_CHANGE_REFUSED', words: /p1/ }
  ]
  for (const { off, now, plugin, code, words = /^/ } of rows) {
    const before = await platformOf(plugins, off)
    const after = await platformOf(plugins, now)
    const refusal = refusalOf({ plugin, before, after })
    t.equal(refusal?.code, code, `${plugin}: ${off} to ${now}`)
    t.match(refusal?.message ?? '', words)
  }
})

test('a change that is allowed starts or stops that one plugin alone', async (t) => {
  const graph = fc
    .integer({ min: 1, max: 6 })
    .chain((size) =>
      fc.tuple(...Array.from({ length: size }, (_, at) => fc.subarray([...Array(at).keys()])))
    )
  await fc.assert(
    fc.asyncProperty(graph, fc.nat(), fc.array(fc.nat(5)), async (needs, pick, offNumbers) => {
      const plugins = pluginsWith(needs)
      const off = [...new Set(offNumbers.map((n) => `p${n % needs.length}`))]
      const plugin = `p${pick % needs.length}`
      const before = await platformOf(plugins, off)
      const isOff = off.includes(plugin)
      const now = isOff ? off.filter((id) => id !== plugin) : [...off, plugin]
      const after = await platformOf(plugins, now)
      const up = (platform: typeof before) => pluginsOf(platform).map(({ id }) => id)
      const stopped = up(before).filter((id) => !up(after).includes(id))
      const isWanted = isOff ? up(after).includes(plugin) : stopped.every((id) => id === plugin)
      return (refusalOf({ plugin, before, after }) === undefined) === isWanted
    }),
    { numRuns: 60 }
  )
  t.pass()
})
