// The pages that may be shared, by plugin and page. Pure, over the contributions of the other plugins.
import type { SharedPage } from '@keelson/sdk/contracts/embed-grants'

/** A page that may be shared, with the plugin that it is of. */
export interface ListedPage extends SharedPage {
  readonly plugin: string
}

/** What other plugins contribute; each list is live. */
export interface PageSources {
  contributions(): readonly (readonly SharedPage[])[]
  contributors(): readonly string[]
}

/** The pages that may be shared now. */
export interface PageList {
  all(): readonly ListedPage[]
  find(plugin: string, page: string): ListedPage | undefined
}

/** Reads the contributions anew at each call: plugins come and go. */
export function createPageList({ contributions, contributors }: PageSources): PageList {
  const all = () => {
    const plugins = contributors()
    return contributions().flatMap((pages, at) =>
      pages.map((page) => ({ ...page, plugin: plugins[at] ?? '' }))
    )
  }
  return {
    all,
    find: (plugin, page) => all().find((each) => each.plugin === plugin && each.page === page)
  }
}
