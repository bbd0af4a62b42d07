// The public entry of @keelson/ui/build: browser files of this package and of a plugin's pages.
export { type BuildPagesOptions, type BuiltPage, buildPages, type PageManifest } from './pages.ts'
export { buildStale, isStale, isUiStale } from './stale.ts'
export { buildUi, type UiManifest } from './ui.ts'
