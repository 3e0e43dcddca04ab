import type { IncomingMessage } from 'node:http'
import { BlockList, isIPv6 } from 'node:net'
import type { Config } from '../settings/config.ts'
import { countryInWords } from '../settings/country-codes.ts'
import { refused } from '../http/http-errors.ts'
import { visitorAsking } from './in-process.ts'

export const HOME_COUNTRY = 'GB'

/** The country of the account, and the visitor's where that is another one. */
export type Countries = readonly [home: string, ...here: string[]]

/** The account's country counts first, but changing it in the settings lifts no block on where its owner is now. */
export const countriesOf = (account: string | null | undefined, visitor: string): Countries =>
  !account || account === visitor ? [visitor] : [account, visitor]

/** Whichever country blocks, blocks (docs/product.md, Access). */
export const isBlockedIn = (blocked: readonly string[], countries: Countries): boolean =>
  countries.some((country) => blocked.includes(country))

/** The country that the shop does not sell to, if any of these is one: the account's, or where its owner is now. */
export const unsoldCountry = (
  { details }: Pick<Config, 'details'>,
  countries: Countries,
): string | undefined => {
  const sold = details.terms.countries
  return sold && countries.find((country) => !sold.has(country))
}

/** Throws 422 where one of these countries is none that the shop sells to. What was sold before is theirs, and goes on. */
export function refuseElsewhere(config: Pick<Config, 'details'>, countries: Countries): void {
  const country = unsoldCountry(config, countries)
  if (country) throw refused(`We’re sorry, we don’t sell to your country yet (${countryInWords(country)}).`)
}

/**
 * The visitor's country by the header that the proxy sets (docs/product.md, Access), `GB` where none is believed.
 * An account's own country counts first, and the caller sees to that.
 */
export function countryByHeader(config: Config): (request: IncomingMessage) => string {
  const trusted = trustedNetworks(config)
  return (request) => {
    const asked = visitorAsking()
    if (asked) return asked.country
    const given = request.headers[config.countryHeader]
    if (typeof given !== 'string' || !/^[A-Za-z]{2}$/.test(given)) return HOME_COUNTRY
    return trusted(request.socket?.remoteAddress) ? given.toUpperCase() : HOME_COUNTRY
  }
}

/** True for the addresses of `TRUSTED_PROXIES`; in demo mode this machine is one of them. */
export function trustedNetworks(
  config: Pick<Config, 'trustedProxies' | 'demo'>,
): (address: string | undefined) => boolean {
  const list = new BlockList()
  for (const entry of [...config.trustedProxies, ...(config.demo ? ['127.0.0.0/8', '::1'] : [])]) {
    const [network = '', prefix] = entry.split('/')
    const family = isIPv6(network) ? 'ipv6' : 'ipv4'
    if (prefix) list.addSubnet(network, Number(prefix), family)
    else list.addAddress(network, family)
  }
  return (address) => {
    if (!address) return false
    const plain = address.replace(/^::ffff:/, '')
    return list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
  }
}
