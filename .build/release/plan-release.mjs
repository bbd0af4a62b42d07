// What a release changes, as texts: versions of packages and manifests, and changelogs. Touches no file.
import { compare, valid } from 'semver'

/**
 * Text edits keep the layout of a file. `names` are those that it may depend on: our packages in a package.json, our
 * plugins in a manifest. What names a version exactly, or from one on (`^`, `~`), names that of the release: before 1.0
 * a range of the last minor version does not take the next one.
 */
export function withVersion(text, version, names = new Set()) {
  return text
    .replace(/("version":\s*)"[^"]*"/, `$1"${version}"`)
    .replace(/"([^"\s]+)":\s*"([~^]?)\d[^"]*"/g, (all, dependency, range) =>
      names.has(dependency) ? `"${dependency}": "${range}${version}"` : all
    )
}

/** Why this version cannot be released; undefined when it can. */
export function refusal({ version, current, changed, changelog, tags }) {
  if (valid(version) === null) return `"${version}" is not a version, as 1.2.3.`
  if (tags.includes(`v${version}`)) return `v${version} is tagged already.`
  if (compare(version, current) < 0) return `${version} is older than ${current}.`
  if (changed.length > 0) return `Commit these files first: ${changed.join(', ')}.`
  if (unreleasedOf(changelog) === '') return 'CHANGELOG.md says nothing of this release.'
  return undefined
}

const HEADING = /^## \S+ \(unreleased\)\n/m

/** What the changelog says since the last release. */
export function unreleasedOf(changelog) {
  const found = HEADING.exec(changelog)
  if (found === null) return ''
  const rest = changelog.slice(found.index + found[0].length)
  return (/^([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(rest)?.[1] ?? '').trim()
}

/** The heading gets the version and the day; it must be there. */
export const releasedChangelog = (changelog, version, day) =>
  changelog.replace(HEADING, `## ${version} (${day})\n`)

/** The changelog of a package, newest release first: the subjects of the commits that touched its folder. */
export function packageChangelog(before, { name, version, day, subjects }) {
  const title = `# ${name}: changes\n`
  const older = before.replace(/^# .*\n/, '').trim()
  const lines = subjects.length === 0 ? ['- No change.'] : subjects.map((one) => `- ${one}`)
  return [title, `## ${version} (${day})\n`, ...lines, ...(older === '' ? [] : ['', older]), '']
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
}
