// A new plugin as a set of files: plain JavaScript, nothing to build.
import { KERNEL_API } from '../../manifest/check.ts'
import { deliverabilityFiles } from './deliverability-kind.ts'
import { pluginFiles } from './plugin-kind.ts'

export const KINDS = ['plugin', 'deliverability'] as const
export type Kind = (typeof KINDS)[number]

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

const MAKERS: Readonly<Record<Kind, (names: Names) => Files>> = {
  plugin: pluginFiles,
  deliverability: deliverabilityFiles
}

/** The files of a plugin of this kind. `id` is taken as it is; checkManifest says whether it is good. */
export function scaffold(id: string, kind: Kind): Files {
  return MAKERS[kind](namesOf(id))
}

export function namesOf(id: string): Names {
  const letters = id.replace(/[^a-z]/g, '').toUpperCase()
  return {
    id,
    title: id.charAt(0).toUpperCase() + id.slice(1).replaceAll('-', ' '),
    prefix: id.replaceAll('-', '_'),
    code: letters.slice(0, 4).padEnd(3, 'X')
  }
}

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
      '@keelson/sdk': '^0.1.0',
      fastify: '^5.12.0',
      mongodb: '^7.0.0',
      undici: '^7.0.0'
    }
  })
}

export const asJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
