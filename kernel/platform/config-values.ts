// What a schema cannot say of the platform's config: addresses, names and zones that must exist. Pure.
import { hostNameOf, type KeelsonConfig, type KeelsonError, urlOrigin } from '@keelson/sdk'
import { isTimeZone } from '@keelson/sdk/zoned-time'
import { errors } from '../errors/errors.ts'
import { ADDRESS_GROUPS, kernelAddresses } from './kernel-addresses.ts'

/** What is wrong with the values of a config that fits its schema. */
export function valueProblems(config: KeelsonConfig, file: string): KeelsonError[] {
  return [
    ...checkSites(config, file),
    ...checkHosts(config, file),
    ...checkShell(config, file),
    ...checkOwnAddresses(config, file),
    ...checkDatabase(config, file)
  ]
}

/** An invalid URL would silently match no origin. */
function checkSites({ auth = {} }: KeelsonConfig, file: string): KeelsonError[] {
  const given = [
    ...listOf(auth.publicUrl).map((url) => ['auth.publicUrl', url] as const),
    ...listOf(auth.embedOrigins).map((origin) => ['auth.embedOrigins', origin] as const)
  ]
  const reason = 'must be an address like https://app.example, without *'
  return given
    .filter(([, address]) => !isSite(address))
    .map(([path]) => errors.KRN_CONFIG_INVALID({ file, path, reason }))
}

/** A name with * is a valid URL, and no browser has it. */
const isSite = (address: string): boolean =>
  /^https?:\/\/[^/*]+(?:\/|$)/.test(address) && urlOrigin(address) !== undefined

/** A name that no Host header has would be refused without a word. */
function checkHosts({ auth = {} }: KeelsonConfig, file: string): KeelsonError[] {
  const reason = 'must be host names like app.example, without http:// and path'
  return listOf(auth.hosts)
    .filter((host) => hostNameOf(host) === undefined)
    .map(() => errors.KRN_CONFIG_INVALID({ file, path: 'auth.hosts', reason }))
}

/** Pages would show every date in UTC and in English, and say so of another zone and language. */
function checkShell({ shell = {} }: KeelsonConfig, file: string): KeelsonError[] {
  const { timeZone, locale } = shell
  const problems: KeelsonError[] = []
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    const reason = 'must be UTC or an IANA name such as Europe/Berlin'
    problems.push(errors.KRN_CONFIG_INVALID({ file, path: 'shell.timeZone', reason }))
  }
  if (locale !== undefined && !isLocale(locale)) {
    const reason = 'must be a language tag such as de or en-GB'
    problems.push(errors.KRN_CONFIG_INVALID({ file, path: 'shell.locale', reason }))
  }
  return problems
}

function isLocale(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0
  } catch {
    return false
  }
}

/** Fastify would refuse the second with words that name no setting. */
function checkOwnAddresses({ addresses }: KeelsonConfig, file: string): KeelsonError[] {
  const placed = kernelAddresses(addresses)
  return ADDRESS_GROUPS.flatMap((group, at) => {
    const address = placed[group]
    const other = ADDRESS_GROUPS.slice(0, at).find((before) => placed[before] === address)
    if (address === undefined || other === undefined) return []
    const reason = `is ${address}, as addresses.${other} is; each needs an address of its own`
    return [errors.KRN_CONFIG_INVALID({ file, path: `addresses.${group}`, reason })]
  })
}

/** MongoDB's driver refuses such a name when it is first used. */
function checkDatabase({ storage = {} }: KeelsonConfig, file: string): KeelsonError[] {
  const { database = '' } = storage
  if (!/[/\\. "$]/.test(database) && database.length < 64) return []
  const reason = `is ${JSON.stringify(database)}; a name has at most 63 characters, and none of / \\ . " $ and space`
  return [errors.KRN_CONFIG_INVALID({ file, path: 'storage.database', reason })]
}

/** Values given as a list or in one string with commas. */
export function listOf(given: string | readonly string[] | undefined): string[] {
  return [given ?? []]
    .flat()
    .flatMap((text) => text.split(','))
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
