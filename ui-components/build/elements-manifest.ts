// custom-elements.json: the pages of a plugin as editors and documentation tools read custom elements. Pure.
import type { PageAttributes } from '@keelson/ui/jsx'
import type { PageManifest } from './pages.ts'

/** https://github.com/webcomponents/custom-elements-manifest */
const SCHEMA_VERSION = '1.0.0'

type Handler = Extract<keyof PageAttributes, `on${string}`>
type AttributeName = Exclude<keyof PageAttributes, Handler>
type EventName = Handler extends `on${infer Name}` ? Name : never

/** What every page takes; the compiler holds the names against those for JSX. */
const ATTRIBUTES: Readonly<Record<AttributeName, readonly [type: string, description: string]>> = {
  'api-base': ['string', "The address of the plugin's mount: https://platform.example/telemetry."],
  'api-prefix': ['string', 'The prefix of the platform, where it has one: /platform.'],
  locale: ['string', 'A language tag. Default: the language of the document.'],
  'color-scheme': ["'light' | 'dark'", 'Default: the scheme of the document.'],
  'sign-in': ['string', 'Where people who are signed out can sign in. Default: no link is shown.']
}

const EVENTS: Readonly<Record<EventName, string>> = {
  'keelson-title': 'The title of the page changed. detail: { title }.',
  'keelson-navigate':
    'The page asks to go to an address; preventDefault() says that the document does it. detail: { href, replace }.',
  'keelson-error': 'The page cannot go on. detail: { error }.',
  'keelson-sign-in': 'The page says that the viewer is signed out.'
}

const attributes = Object.entries(ATTRIBUTES).map(([name, [text, description]]) => ({
  name,
  type: { text },
  description
}))
const events = Object.entries(EVENTS).map(([name, description]) => ({
  name,
  type: { text: 'CustomEvent' },
  description
}))
const members = [
  {
    kind: 'field',
    name: 'getToken',
    type: { text: '(() => string | Promise<string>) | undefined' },
    description: 'Gives the token of each call, which is then sent in place of cookies.'
  }
]

/** The text of `custom-elements.json`; undefined for a plugin without pages for other sites. */
export function elementsManifest({ pages = [] }: PageManifest): string | undefined {
  const embedded = pages.filter(({ embed = true }) => embed)
  if (embedded.length === 0) return undefined
  const modules = embedded.map(({ id, element = '', title = id }) => {
    const path = `dist/browser/embed/${id}.js`
    const name = classNameOf(element)
    return {
      kind: 'javascript-module',
      path,
      declarations: [
        {
          kind: 'class',
          name,
          tagName: element,
          customElement: true,
          description: `The page "${title}".`,
          attributes,
          members,
          events
        }
      ],
      exports: [
        { kind: 'custom-element-definition', name: element, declaration: { name, module: path } }
      ]
    }
  })
  return `${JSON.stringify({ schemaVersion: SCHEMA_VERSION, modules }, null, 2)}\n`
}

/** `telemetry-dashboard-events` → `TelemetryDashboardEvents`. */
const classNameOf = (tag: string): string =>
  tag.replace(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
