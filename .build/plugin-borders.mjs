// Finds plugins that import another plugin by anything but its contracts. Pure.

/**
 * Sources that may, by the folder or file that they are in, with what they may import and why. A type is gone when
 * the code runs; a value is not.
 */
export const OWN_IMPORTS = {
  'plugins/telemetry-dashboard/': {
    of: '@keelson/telemetry',
    why: 'it is the pages of telemetry and their API: reads, limits and their types are one product'
  },
  'plugins/mailer/deliverability.ts': {
    of: '@keelson/',
    why: 'an umbrella entry: document 2 names these functions as exports of the mailer'
  },
  'plugins/mailer/host/': {
    of: '@keelson/',
    why: 'Mailer.init adds the deliverability plugins that are installed beside it'
  },
  'plugins/mailer/commands.ts': {
    of: '@keelson/dmarc',
    why: 'the command line of the mailer runs that of DMARC, when it is installed'
  }
}

const IMPORT =
  /^(?:import|export)\b[^'\n]*\bfrom '(@keelson\/[^'\n]+)'|^\} from '(@keelson\/[^'\n]+)'|^import '(@keelson\/[^'\n]+)'|\bimport\('(@keelson\/[^'\n]+)'\)/gm

/**
 * What is wrong, a sentence each.
 *
 * @param modules Path of each module that is not a test, with its text.
 * @param plugins Name and folder of the package of each plugin.
 * @param own Exceptions. One that is not needed is a problem, too.
 */
export function pluginBorders(modules, plugins, own = OWN_IMPORTS) {
  const names = new Map(plugins.map(({ name, folder }) => [name, folder]))
  const reaches = modules.flatMap(({ path, text }) => {
    const folder = plugins
      .map((plugin) => plugin.folder)
      .find((each) => path.startsWith(`${each}/`))
    if (folder === undefined) return []
    return [...text.matchAll(IMPORT)]
      .map((found) => found.slice(1).find(Boolean))
      .filter((specifier) => isReach(specifier, names, folder))
      .map((specifier) => ({ path, specifier }))
  })
  const excused = ({ path, specifier }) =>
    Object.keys(own).find((place) => path.startsWith(place) && specifier.startsWith(own[place].of))
  const found = reaches
    .filter((reach) => excused(reach) === undefined)
    .map(
      ({ path, specifier }) =>
        `${path}: imports ${specifier}; a plugin imports another one by its contracts alone`
    )
  const needed = new Set(reaches.map(excused))
  const over = Object.keys(own)
    .filter((place) => !needed.has(place))
    .map((place) => `.build/plugin-borders.mjs: ${place} imports none: delete the exception`)
  return [...found, ...over]
}

/** Of another plugin, and not its contracts. */
function isReach(specifier, names, folder) {
  const [scope, name, ...rest] = specifier.split('/')
  const owner = names.get(`${scope}/${name}`)
  return owner !== undefined && owner !== folder && rest.join('/') !== 'contracts'
}
