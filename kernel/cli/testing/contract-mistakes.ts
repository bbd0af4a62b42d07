// Mistakes with pages, with other plugins and with settings.
import type { AuthorMistake } from './author-mistake.ts'
import { sourceOf } from './platform-folder.ts'
import { config, other } from './plugin-source.ts'

const page = {
  id: 'main',
  element: 'alpha-main',
  module: './pages/main.js',
  title: 'Main',
  role: 'viewer',
  embed: false
}

const withPage = (text: string | undefined, more: object = {}) => ({
  manifest: { pages: [{ ...page, ...more }] },
  ...(text !== undefined && { files: { 'pages/main.js': text } })
})

export const pageMistakes: readonly AuthorMistake[] = [
  {
    what: 'a page whose module is missing',
    ...withPage(undefined),
    code: 'KRN_CLI_FILE_MISSING',
    path: 'pages[0].module',
    says: ['./pages/main.js', 'Write the file']
  },
  {
    what: 'a page that is not a module',
    ...withPage('this is not a module'),
    code: 'KRN_CLI_PAGE_SYNTAX',
    path: 'pages[0].module',
    says: ['pages/main.js', 'is not a valid module: line 1']
  },
  {
    what: 'a page that imports a file that is missing',
    ...withPage(
      "import './none.js'\ncustomElements.define('alpha-main', class extends HTMLElement {})"
    ),
    code: 'KRN_CLI_PAGE_IMPORT',
    path: 'pages[0].module',
    says: ['"./none.js"', 'That file is missing']
  },
  {
    what: 'a page that imports a package that the shell does not have',
    ...withPage("import x from 'lodash'\ncustomElements.define('alpha-main', x)"),
    code: 'KRN_CLI_PAGE_IMPORT',
    path: 'pages[0].module',
    says: ['"lodash"', 'The shell provides', 'lit']
  },
  {
    what: 'a page that defines another element',
    ...withPage("customElements.define('alpha-other', class extends HTMLElement {})"),
    code: 'KRN_CLI_PAGE_ELEMENT',
    path: 'pages[0].module',
    says: ['does not define the element alpha-main', 'definePage']
  },
  {
    what: 'an element without the id of the plugin',
    ...withPage(undefined, { element: 'orders-main' }),
    code: 'KRN_ELEMENT_PREFIX',
    path: 'pages[0].element',
    says: ['"orders-main"', 'alpha-<page>']
  }
]

const gate = (point: string, contribution: string) =>
  `${sourceOf().replace("'@keelson/sdk'", "'@keelson/sdk'\nimport { mailerSendGate } from '@keelson/mailer/contracts'")}`.replace(
    'register() {}',
    `register(host) { host.extend(${point}, ${contribution}) }`
  )

export const contractMistakes: readonly AuthorMistake[] = [
  {
    what: 'another plugin of the wrong version',
    manifest: { requires: { beta: '^2.0.0' } },
    files: {
      ...other('beta'),
      'keelson.config.json': { plugins: { beta: { package: './beta' } } }
    },
    code: 'KRN_REQUIRES_VERSION',
    path: 'requires.beta',
    says: ['asks for ^2.0.0, but version 1.0.0 of beta is installed']
  },
  {
    what: 'a misspelt extension point',
    manifest: { uses: ['mailer.send-gates/v1'] },
    code: 'KRN_CAPABILITY_MISSING',
    path: 'uses[0]',
    says: ['mailer.send-gates/v1', 'Did you mean mailer.send-gate/v1?']
  },
  {
    what: 'an extension point that is not declared in uses',
    manifest: { uses: ['mailer.core/v1'] },
    source: gate('mailerSendGate', "{ name: 'alpha', check: () => null }"),
    code: 'KRN_POINT_UNDECLARED',
    path: 'uses',
    says: ['mailer.send-gate/v1', 'uses']
  },
  {
    what: 'a gate without its check',
    manifest: { uses: ['mailer.send-gate/v1'] },
    source: gate('mailerSendGate', "{ name: 'alpha', chek: () => null }"),
    code: 'KRN_CONTRIBUTION_UNFIT',
    path: 'the value',
    says: ['mailer.send-gate/v1', 'check']
  },
  {
    what: 'a gate that throws',
    manifest: { uses: ['mailer.send-gate/v1'] },
    source: gate('mailerSendGate', "{ name: 'alpha', check() { throw new Error('no words') } }"),
    code: 'KRN_CLI_CONTRIBUTION_FAILED',
    path: 'mailer.send-gate/v1',
    says: ['a send gate', 'no words']
  },
  {
    what: 'a setting of the wrong type',
    source: sourceOf(config),
    files: { 'keelson.config.json': { plugins: { alpha: { config: { keepDays: 'many' } } } } },
    code: 'KRN_PLUGIN_CONFIG_INVALID',
    path: 'plugins.alpha.config.keepDays',
    says: ['plugins.alpha.config.keepDays', 'must be a whole number']
  },
  {
    what: 'an unknown setting, from a flag',
    source: sourceOf(config),
    args: ['--set', 'keepDayz=3'],
    code: 'KRN_PLUGIN_CONFIG_UNKNOWN_KEY',
    path: 'keepDayz',
    says: ['keepDayz', 'Did you mean keepDays?']
  },
  {
    what: 'an id that two plugins have',
    files: {
      ...other('beta'),
      'keelson.config.js': `import { readFileSync } from 'node:fs'
import { definePlugin } from '@keelson/sdk'
const manifest = JSON.parse(readFileSync(new URL('./beta/plugin.json', import.meta.url), 'utf8'))
const beta = () => definePlugin({ manifest, register() {} })
export default { use: [beta(), beta()] }`
    },
    code: 'KRN_PLUGIN_TWICE',
    path: 'id',
    says: ['Two plugins have the id beta', 'Remove one']
  },
  {
    what: 'an id that is not the one of the config',
    files: {
      ...other('beta'),
      'keelson.config.json': { plugins: { gamma: { package: './beta' } } }
    },
    code: 'KRN_PLUGIN_ID_DIFFERS',
    path: 'plugins.gamma',
    says: ['gamma', '"beta"', 'Use the id of plugin.json']
  },
  {
    what: 'a module that exports no plugin',
    source: 'export const plugin = {}',
    code: 'KRN_PLUGIN_EXPORT',
    path: 'main',
    says: ['index.js', 'definePlugin', 'default export']
  }
]
