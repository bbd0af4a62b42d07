// The public entry of @keelson/ui/server: shells and their files on Fastify.
export type { Nav, NavPage, NavSection, NavViewer } from '../shell/nav.ts'
export type { PageErrorReport } from '../shell/page-error-report.ts'
export type { ShellConfig } from '../shell/shell-config.ts'
export { prefersHtml, prefersJson } from './accept.ts'
export { buildNav, mayOpen, type NavOptions, orderedPages, type PlacedPage } from './build-nav.ts'
export { ASSETS, type DocumentOptions, documentTemplate, importMap } from './document.ts'
export { escapeHtml, scriptJson } from './html.ts'
export { LANGUAGES, type Language, languageTags, pickLanguage } from './languages.ts'
export { localizePage, type PageWords } from './localize-page.ts'
export { contentPolicy, documentHeaders, hashSource, type PolicyOptions } from './policy.ts'
export { prepareFiles, sendImmutable, sendMissing, sendRevalidated } from './send-file.ts'
export {
  openShellFiles,
  type PageFiles,
  type ShellFiles,
  type ShellFilesOptions
} from './shell-files.ts'
export { NOT_BUILT, type StandaloneShellOptions, standaloneShell } from './standalone.ts'
