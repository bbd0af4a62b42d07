// German of the elements: `@keelson/ui/german`, for pages that are in German.
import breadcrumb from '../locales/breadcrumb.de.json' with { type: 'json' }
import downloads from '../locales/download.de.json' with { type: 'json' }
import drafts from '../locales/draft.de.json' with { type: 'json' }
import refusals from '../locales/refusals.de.json' with { type: 'json' }
import elements from '../locales/texts.de.json' with { type: 'json' }

/** German of the elements, downloads, drafts and the breadcrumb. Pages that have German texts offer it with `registerCatalog`. */
export default { ...elements, ...breadcrumb, ...downloads, ...drafts, ...refusals }
