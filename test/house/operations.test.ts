// What our plugins declare of their APIs: answers and bodies are described, and wildcards give a reason.
import { test } from 'tap'

interface Figures {
  readonly operations: number
  readonly withoutAnswer: readonly string[]
  readonly bareBodies: readonly string[]
  readonly withoutEffect: readonly string[]
  readonly wildcards: readonly { readonly wildcard?: string }[]
}

// Seen from test/dist/house.
const file = new URL('../../../.build/operations.mjs', import.meta.url)
const { figuresOf, readPlugins } = (await import(file.href)) as {
  readPlugins(): Promise<readonly object[]>
  figuresOf(plugins: readonly object[]): Figures
}

test('every operation describes its answer and its body, and says what it does', async (t) => {
  const figures = figuresOf(await readPlugins())
  t.ok(figures.operations > 0)
  t.same(figures.withoutAnswer, [])
  t.same(figures.bareBodies, [])
  t.same(figures.withoutEffect, [])
  t.same(
    figures.wildcards.filter(({ wildcard = '' }) => wildcard === ''),
    []
  )
})
