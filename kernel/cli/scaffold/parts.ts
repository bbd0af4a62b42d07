// What the files of every kind of new plugin have in common.
import { KERNEL_API } from '../../manifest/check.ts'

/** The forms of a plugin's name that its files use. */
export interface Names {
  /** `my-check` */
  readonly id: string
  /** `My check` */
  readonly title: string
  /** `my_check` */
  readonly prefix: string
  /** `MYCH`: begins the codes of its errors. */
  readonly code: string
}

/** Paths and contents of the files of a new plugin. */
export type Files = Readonly<Record<string, string>>

/** The head of every manifest. */
export function manifestHead({ id, title }: Names, description: string) {
  return {
    manifestVersion: 1,
    id,
    name: title,
    version: '0.1.0',
    kernel: `^${KERNEL_API}`,
    description,
    license: 'MIT',
    main: './index.js',
    mount: `/${id}`
  }
}

export function packageFile(
  { id }: Names,
  description: string,
  modules: readonly string[] = []
): string {
  return asJson({
    name: id,
    version: '0.1.0',
    description,
    license: 'MIT',
    type: 'module',
    main: './index.js',
    exports: { '.': './index.js', './plugin.json': './plugin.json' },
    files: ['index.js', 'errors.js', ...modules, 'plugin.json', 'pages'],
    scripts: { test: 'node --test', check: 'keelson check', dev: 'keelson dev' },
    peerDependencies: { '@keelson/sdk': '^0.1.0' },
    devDependencies: {
      '@keelson/kernel': '^0.1.0',
      '@keelson/local-mongo': '^0.1.0',
      '@keelson/sdk': '^0.1.0',
      fastify: '^5.12.0',
      mongodb: '^7.9.0',
      undici: '^7.0.0'
    }
  })
}

export const asJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
