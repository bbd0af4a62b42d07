// German of the elements: `@keelson/ui/german`, for pages that are in German.

/** German of the elements. Pages that have German texts offer it with `registerCatalog`. */
export { default } from '../locales/texts.de.json' with { type: 'json' }
