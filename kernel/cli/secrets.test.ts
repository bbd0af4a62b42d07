// keelson secrets on a platform's folder.
import { test } from 'tap'
import { keelson, platformFolder, sourceOf, testStorage } from './testing/platform-folder.ts'

const SOURCE = sourceOf(`config: Type.Object({
  key: Type.String({ secret: true, minLength: 24 }),
  other: Type.String({ secret: true }),
  word: Type.String()
})`)
const CONFIG = {
  key: '${KEY:a default of 24 characters}',
  other: '${OTHER:demo}',
  word: '${WORD:x}'
}

const platform = async (t: Parameters<typeof platformFolder>[0]) =>
  platformFolder(
    t,
    { alpha: {} },
    {
      'plugins/alpha/index.js': SOURCE,
      'keelson.config.json': {
        storage: await testStorage(),
        plugins: { alpha: { package: './plugins/alpha', config: CONFIG } }
      }
    }
  )

test('a fresh line is printed for each secret that has its default, and pasted it is taken', async (t) => {
  const folder = await platform(t)
  const { code, stdout } = await keelson(folder, ['secrets'])
  t.equal(code, 0)
  t.match(stdout, /^KEY=[\w-]{43}\nOTHER=[\w-]{43}\n$/)
  t.not((await keelson(folder, ['secrets'])).stdout, stdout)
  const pasted = Object.fromEntries(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.split('=') as [string, string])
  )
  const after = await keelson(folder, ['secrets'], pasted)
  t.match(after, { code: 0, stdout: '', stderr: /No secret has the default/ })
})

test('a variable with another value is left out, an empty one is not', async (t) => {
  const folder = await platform(t)
  const { json } = await keelson(folder, ['secrets', '--json'], { KEY: '', OTHER: 'own' })
  t.same(Object.keys(json.secrets), ['KEY'])
})
