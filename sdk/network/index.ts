// The public entry of @keelson/sdk/network: calls to addresses that a user or a client names.
export { fetchErrorRows } from './fetch-errors.ts'
export {
  type Caller,
  createLimitedFetch,
  type LimitedFetch,
  type LimitedFetchOptions
} from './limited-fetch.ts'
export { isPublicAddress } from './public-addresses.ts'
export {
  createPublicFetch,
  namedAddresses,
  type PublicFetch,
  type PublicFetchOptions
} from './public-fetch.ts'
