// Of any config, whatever its schema, nothing marked secret is logged, answered, shown or raised.
import { definePlugin } from '@keelson/sdk'
import { type TSchema, Type } from '@keelson/sdk/typebox'
import fc from 'fast-check'
import Fastify from 'fastify'
import { test } from 'tap'
import { createKernel } from '../index.ts'
import { fakeHost, fakeSeams } from '../testing/fake-host.ts'
import { sampleManifest, sampleRoute } from '../testing/sample-manifest.ts'
import { checkSettings } from './settings.ts'

/** A schema, a value that fits it, and what is secret in the value. */
interface Sample {
  readonly schema: TSchema
  readonly value: unknown
  readonly secrets: readonly string[]
}

const noise = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.constantFrom('"quoted"', 'a\\b', 'line\nbreak', '$&', '</script>', 'ü€𝄞', '\ud800', '%20+ ')
)
const text = fc.tuple(fc.nat(), noise).map(([n, more]) => `S3CR3T-${n}-${more}`)
const number = fc.integer({ min: 700_000_000, max: 799_999_999 })

const plain = fc.constantFrom<Sample>(
  { schema: Type.String(), value: 'plain', secrets: [] },
  { schema: Type.String({ public: true }), value: 'shown', secrets: [] },
  { schema: Type.Optional(Type.Boolean({ default: true })), value: true, secrets: [] },
  { schema: Type.Null(), value: null, secrets: [] }
)
const options = fc.constantFrom({ secret: true }, { secret: true, public: true })
const marked = fc.oneof(
  fc
    .tuple(text, options)
    .map(([value, more]): Sample => ({ schema: Type.String(more), value, secrets: [value] })),
  fc
    .tuple(number, options)
    .map(
      ([value, more]): Sample => ({ schema: Type.Number(more), value, secrets: [String(value)] })
    ),
  fc.tuple(text, number, options).map(
    ([word, count, more]): Sample => ({
      schema: Type.Object({ word: Type.String(), list: Type.Array(Type.Integer()) }, more),
      value: { word, list: [count] },
      secrets: [word, String(count)]
    })
  )
)

const secretsOf = (samples: readonly Sample[]) => samples.flatMap(({ secrets }) => secrets)
const keyed = (samples: readonly Sample[], prefix: string) => {
  const keys = samples.map((_, at) => `${prefix}${at}`)
  const zipped = <T>(each: (sample: Sample) => T) =>
    Object.fromEntries(samples.map((sample, at) => [keys[at] ?? '', each(sample)]))
  return {
    schema: Type.Object(zipped(({ schema }) => schema)),
    value: zipped(({ value }) => value),
    secrets: secretsOf(samples)
  }
}

const { sample } = fc.letrec<{ sample: Sample }>((tie) => {
  const some = fc.array(tie('sample'), { minLength: 1, maxLength: 3 })
  return {
    sample: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      plain,
      marked,
      some.map((samples) => keyed(samples, 'key')),
      tie('sample').map((item) => ({
        ...item,
        schema: Type.Array(item.schema),
        value: [item.value]
      })),
      fc.tuple(tie('sample'), fc.constantFrom('name', 'a b', 'x\ny')).map(([item, key]) => ({
        ...item,
        schema: Type.Record(Type.String(), item.schema),
        value: { [key]: item.value }
      })),
      fc.tuple(tie('sample'), tie('sample'), fc.boolean()).map(([item, other, isFirst]) => ({
        ...item,
        schema: Type.Union(isFirst ? [item.schema, other.schema] : [other.schema, item.schema])
      })),
      fc.tuple(some, some).map(([one, two]) => {
        const [left, right] = [keyed(one, 'left'), keyed(two, 'right')]
        return {
          schema: Type.Intersect([left.schema, right.schema]),
          value: { ...left.value, ...right.value },
          secrets: [...left.secrets, ...right.secrets]
        }
      }),
      fc.tuple(some, some).map(([one, two]) => {
        const [mine, others] = [keyed(one, 'key'), keyed(two, 'key')]
        const branch = (kind: string, { properties }: { properties: object }) =>
          Type.Object({ kind: Type.Literal(kind), ...properties })
        return {
          ...mine,
          schema: Type.Union([branch('other', others.schema), branch('mine', mine.schema)]),
          value: { kind: 'mine', ...mine.value }
        }
      })
    )
  }
})
const config = fc.array(sample, { minLength: 1, maxLength: 3 }).map((list) => keyed(list, 'top'))

const wellFormed = (text: string) => text.replace(/\p{Surrogate}/gu, '\ufffd')

/** The secrets that a text holds, as they are, inside JSON or in an address. */
function leaked(where: string, secrets: readonly string[]): string[] {
  return secrets.filter((secret) =>
    [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(wellFormed(secret))].some(
      (form) => where.includes(form)
    )
  )
}

const check = ({ schema, value }: Sample) =>
  checkSettings({ plugin: 'alpha', schema, value, path: 'config', filled: new Map() })

test('every config that is made here fits its schema', async () => {
  fc.assert(fc.property(config, (each) => check(each).ok))
})

test('no refusal and no page setting holds a secret', async (t) => {
  const broken = fc.tuple(config, fc.constantFrom('unknown', 'missing', 'number', 'list'))
  fc.assert(
    fc.property(broken, ([each, fault]) => {
      const { schema, value, secrets } = each
      const wrong: Record<string, unknown> = { ...(value as object) }
      if (fault === 'unknown') wrong['topp'] = value
      if (fault === 'missing') delete wrong['top0']
      if (fault === 'number') wrong['top0'] = { n: value }
      if (fault === 'list') wrong['top0'] = [value, value]
      for (const given of [value, wrong]) {
        const checked = check({ schema, value: given, secrets })
        const told = checked.ok
          ? JSON.stringify(checked.settings.public)
          : checked.problems.map((error) => `${error.stack} ${JSON.stringify(error)}`).join('\n')
        t.same(leaked(told, secrets), [])
      }
    }),
    { numRuns: 200 }
  )
})

/** A plugin that logs its config in every way, and answers and fails with it. */
function leakingPlugin({ schema }: Sample, failure: 'register' | 'request') {
  return definePlugin({
    manifest: sampleManifest('alpha', { routes: [sampleRoute('GET', '/ask')] }),
    config: schema,
    register(host, given) {
      const whole = JSON.stringify(given)
      host.log.info({ given }, 'read the config')
      host.log.info(whole)
      host.log.warn(new Error(whole))
      host.log.warn({ url: `/?config=${encodeURIComponent(wellFormed(whole))}` })
      for (const value of leavesOf(given)) host.log.info({ value }, `${value}`)
      const error = new Error(`failed with ${whole}`, { cause: new Error(whole) })
      if (failure === 'register') throw error
      host.route({
        method: 'GET',
        path: '/ask',
        handler: () => {
          throw Object.assign(error, { statusCode: 400 })
        }
      })
    }
  })
}

function leavesOf(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [value]
  return Object.values(value).flatMap(leavesOf)
}

test('no log line, answer or health report holds a secret', async (t) => {
  const cases = fc.tuple(config, fc.constantFrom('register' as const, 'request' as const))
  await fc.assert(
    fc.asyncProperty(cases, async ([each, failure]) => {
      const { app, call, logs } = await fakeHost(t, {
        plugins: [leakingPlugin(each, failure)],
        config: { plugins: { alpha: { onFailure: 'disable', config: each.value } } }
      })
      const answers = [
        await call({ url: '/alpha/ask', viewer: 'acme:admin' }),
        await call({ url: '/health/plugins', viewer: 'acme:admin' })
      ]
      await app.close()
      const told = [...logs.map((line) => leavesOf(line)), ...answers.map(({ text }) => text)]
      t.same(leaked(told.flat().join('\n'), each.secrets), [])
    }),
    { numRuns: 40 }
  )
})

test('no error of a start that fails holds a secret', async (t) => {
  await fc.assert(
    fc.asyncProperty(config, async (each) => {
      const app = Fastify()
      const kernel = createKernel(
        {
          plugins: [leakingPlugin(each, 'register')],
          config: { plugins: { alpha: { config: each.value } } }
        },
        { ...fakeSeams(), env: {} }
      )
      app.register(kernel)
      const error = await app.ready().then(
        () => undefined,
        (cause: Error) => cause
      )
      await app.close()
      t.match(error, { code: 'KRN_REGISTER_FAILED' })
      const { message, stack, cause } = error as Error & { cause: Error }
      const told = [message, stack, cause.message, cause.stack, JSON.stringify(error)].join('\n')
      t.same(leaked(told, each.secrets), [])
    }),
    { numRuns: 30 }
  )
})
