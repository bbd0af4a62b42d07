// What a DNS server said about a name.

/** Addresses, nothing of that name, or a failure with the code of the resolver. */
export type DnsAnswer =
  | { readonly kind: 'answers'; readonly addresses: readonly string[] }
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed'; readonly code: string }

/** Asks for the addresses of a name. It never rejects. */
export type Lookup = (name: string) => Promise<DnsAnswer>
