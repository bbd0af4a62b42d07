// Where the packages of a new plugin come from: a clone of Keelson, or a registry.
import { test } from 'tap'
import { isClone, withLocalPackages, withLocalTypes } from './local-packages.ts'

const text = JSON.stringify(
  {
    peerDependencies: { '@keelson/sdk': '^0.1.0', mongodb: '^7.9.0' },
    devDependencies: {
      '@keelson/kernel': '^0.1.0',
      '@keelson/sdk': '^0.1.0',
      mongodb: '^7.9.0',
      typescript: '^7.0.2'
    }
  },
  null,
  2
)

const clone: Readonly<Record<string, string>> = {
  '@keelson/kernel': '/clone/kernel',
  '@keelson/sdk': '/clone/sdk',
  mongodb: '/clone/node_modules/mongodb',
  typescript: '/clone/node_modules/typescript'
}
const find = (name: string) => clone[name]

test('beside a clone, packages of the platform are its folders', async (t) => {
  t.equal(isClone(find), true)
  t.same(JSON.parse(withLocalPackages(text, '/clone/mine/my-plugin', find)), {
    peerDependencies: { '@keelson/sdk': '^0.1.0', mongodb: '^7.9.0' },
    devDependencies: {
      '@keelson/kernel': 'file:../../kernel',
      '@keelson/sdk': 'file:../../sdk',
      mongodb: '^7.9.0',
      typescript: '^7.0.2'
    }
  })
})

test('beside a clone, types of packages that both need are read once', async (t) => {
  const options = withLocalTypes('{ "compilerOptions": { "strict": true } }', '/mine', (name) =>
    name === 'mongodb' ? '/clone/node_modules/mongodb/mongodb.d.ts' : undefined
  )
  t.same(JSON.parse(options), {
    compilerOptions: {
      paths: { mongodb: ['./../clone/node_modules/mongodb/mongodb.d.ts'] },
      strict: true
    }
  })
})

test('a kernel that is installed or missing is not part of a clone', async (t) => {
  t.equal(
    isClone((name) => `/app/node_modules/${name}`),
    false
  )
  t.equal(
    isClone(() => undefined),
    false
  )
})
