// The public entry of @keelson/ui-build: browser files of @keelson/ui and of a plugin's pages.
export { type BuildAllOptions, buildAll } from './build-all.ts'
export {
  type BuildPluginOptions,
  buildPlugin,
  type PluginBuild,
  type PluginPage
} from './build-plugin.ts'
export { elementsManifest } from './elements-manifest.ts'
export {
  type BuildPagesOptions,
  type BuiltPage,
  buildPages,
  type PageEntry,
  type PageManifest
} from './pages.ts'
export { buildUi } from './ui.ts'
