// How often passwords may be guessed, so that guessing ends and the owner of the account still gets in.
import { addressKey, type Host, type Limit } from '@keelson/sdk'

const WINDOW = { windowSeconds: 900 }
/** Wrong passwords of one browser, or of one address without a known browser, for one account. */
const AT_ONE_PLACE = 100
/** Wrong passwords for one account from browsers that are not known, wherever they are. */
const EVERYWHERE = 1000

/** A try to sign in. */
export interface Try {
  readonly account: string
  readonly ip: string
  /** Of a browser that signed in to this account before. */
  readonly device: string | undefined
}

export interface Guesses {
  /** Counts a try; the seconds to wait when there were too many, else 0. */
  take(one: Try): Promise<number>
  /** The password was right: the try does not count. */
  giveBack(one: Try): void
}

/**
 * A stranger uses up what strangers have. A known browser has its own count, and another address too, until
 * many addresses guess at one account; then known browsers alone are let in.
 */
export function createGuesses(host: Pick<Host, 'limit'>): Guesses {
  const ofDevice = host.limit('guesses-device', { max: AT_ONE_PLACE, ...WINDOW })
  const ofAddress = host.limit('guesses-address', { max: AT_ONE_PLACE, ...WINDOW })
  const ofAccount = host.limit('guesses', { max: EVERYWHERE, ...WINDOW })
  const countsOf = ({ account, ip, device }: Try): readonly (readonly [Limit, string])[] =>
    device === undefined
      ? [
          [ofAddress, `${account} ${addressKey(ip)}`],
          [ofAccount, account]
        ]
      : [[ofDevice, `${account} ${device}`]]
  return {
    async take(one) {
      for (const [limit, key] of countsOf(one)) {
        const { granted, retryAfterSeconds } = await limit.take(key)
        if (granted === 0) return retryAfterSeconds
      }
      return 0
    },
    giveBack(one) {
      for (const [limit, key] of countsOf(one)) limit.giveBack(key)
    }
  }
}
