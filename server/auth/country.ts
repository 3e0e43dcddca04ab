import type { IncomingMessage } from 'node:http'
import { BlockList, isIPv6 } from 'node:net'
import type { Config } from '../settings/config.ts'
import { countryInWords } from '../settings/country-codes.ts'
import { refused } from '../http/http-errors.ts'
import { visitorAsking } from './in-process.ts'

export const HOME_COUNTRY = 'GB'

export type Countries = readonly [home: string, ...here: string[]]

/** Both countries count, so that changing the account's country does not lift a block where the user is now. */
export const countriesOf = (account: string | null | undefined, visitor: string): Countries =>
  !account || account === visitor ? [visitor] : [account, visitor]

export const isBlockedIn = (blocked: readonly string[], countries: Countries): boolean =>
  countries.some((country) => blocked.includes(country))

export const unsoldCountry = (
  { details }: Pick<Config, 'details'>,
  countries: Countries,
): string | undefined => {
  const sold = details.terms.countries
  return sold && countries.find((country) => !sold.has(country))
}

/** @throws 422 if the shop does not sell to one of these countries. Earlier purchases are not affected. */
export function refuseElsewhere(config: Pick<Config, 'details'>, countries: Countries): void {
  const country = unsoldCountry(config, countries)
  if (country) throw refused(`We’re sorry, we don’t sell to your country yet (${countryInWords(country)}).`)
}

/** The visitor's country from a trusted proxy's header (docs/product.md, Access); otherwise `GB`. */
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

/** In demo mode this machine counts as a trusted proxy. */
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
