import type { IncomingMessage } from 'node:http'
import { BlockList, isIPv6 } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { DAY_MS, HOUR_MS } from '#contract/durations.ts'
import type { RealTime } from '../clock.ts'
import type { Db } from '../db/open.ts'
import type { Config } from '../settings/config.ts'
import type { Shop } from '../shop.ts'
import { trustedNetworks } from '../auth/country.ts'
import { visitorAsking } from '../auth/in-process.ts'
import { deleteUntrustedProxies, selectUntrustedProxies, storeUntrustedProxy } from './queries.ts'

/** The only forwarding header that the shop reads. */
const READ = 'x-forwarded-for'
const FORWARDING = [READ, 'forwarded', 'x-real-ip'] as const
/** As proxies' documentation spells them. */
const SPELLED: Readonly<Record<string, string>> = {
  'x-forwarded-for': 'X-Forwarded-For',
  forwarded: 'Forwarded',
  'x-real-ip': 'X-Real-IP',
}

/** An active proxy sends many requests a day. */
const FORGOTTEN_AFTER_MS = DAY_MS
/** A limit against flooding: no shop has more proxies. */
const REMEMBERED_AT_MOST = 20
/** Requests evaluated together: a visitor may send a forwarding header; a CDN sends one with every request. */
const GROUP = 100
const SHARE_OF_A_PROXY = 0.9

/** Private addresses (RFC 1918, 4193, 6598, 3927): a forwarding header from one comes from the shop’s own proxy. */
const PRIVATE = new BlockList()
for (const [network, prefix, family] of [
  ['127.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['::1', 128, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
] as const)
  PRIVATE.addSubnet(network, prefix, family)

const isPrivate = (address: string) => PRIVATE.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')

interface Group {
  calls: number
  forwarded: number
  last?: { readonly address: string; readonly header: string }
}

/** Detects proxies missing from `TRUSTED_PROXIES`: all their visitors would share one address and its limits. */
export function watchForUntrustedProxies(app: FastifyInstance, shop: Shop): void {
  const isTrusted = trustedNetworks(shop.config)
  /** When to store each address again, in monotonic milliseconds. */
  const storedUntilMs = new Map<string, number>()
  let group: Group = { calls: 0, forwarded: 0 }

  const report = (address: string, header: string) => {
    const isNew = !storedUntilMs.has(address)
    if (isNew && storedUntilMs.size >= REMEMBERED_AT_MOST) return
    const nowMs = performance.now()
    if ((storedUntilMs.get(address) ?? -Infinity) > nowMs) return
    storedUntilMs.set(address, nowMs + HOUR_MS)
    if (isNew)
      shop.log.error(
        { proxy: address, header },
        `${address} ${isTrusted(address) ? `forwards visitors with only ${SPELLED[header]}` : 'forwards visitors and is not trusted'}: all of them share one limit. ${remedyFor(shop.config, { address, header })}`,
      )
    storeUntrustedProxy(shop.db, { address, header, now: shop.now() }).catch((error: unknown) => {
      shop.log.warn({ err: error }, 'a proxy that is not trusted could not be stored')
    })
  }

  const forget = (address: string) => {
    if (!storedUntilMs.delete(address)) return
    deleteUntrustedProxies(shop.db, [address]).catch((error: unknown) => {
      shop.log.warn({ err: error }, 'a proxy that was corrected stays on the to-do list')
    })
  }

  const look = ({ headers, socket }: IncomingMessage) => {
    const address = socket?.remoteAddress?.replace(/^::ffff:/i, '')
    if (address === undefined) return
    const header = FORWARDING.find((name) => headers[name] !== undefined)
    if (isTrusted(address)) {
      // Without any of them it is a visitor or a health check on the proxy’s own machine.
      if (header === READ) forget(address)
      else if (header !== undefined) report(address, header)
      return
    }
    if (isPrivate(address)) {
      if (header !== undefined) report(address, header)
      return
    }
    group.calls += 1
    if (header !== undefined) group.forwarded += 1
    if (header !== undefined) group.last = { address, header }
    if (group.calls < GROUP) return
    if (group.last && group.forwarded >= GROUP * SHARE_OF_A_PROXY)
      report(group.last.address, group.last.header)
    group = { calls: 0, forwarded: 0 }
  }

  app.addHook('onRequest', (request, _reply, done) => {
    if (!visitorAsking()) look(request.raw)
    done()
  })
  app.addHook('onReady', async () => {
    try {
      const known = await selectUntrustedProxies(shop.db, new Date(0))
      await deleteUntrustedProxies(
        shop.db,
        known.map(({ address }) => address).filter((address) => isTrusted(address)),
      )
    } catch (error) {
      // Without a database the server still starts and returns errors.
      shop.log.warn({ err: error }, 'proxies that are trusted by now stay on the to-do list')
    }
  })
}

export interface UntrustedProxy {
  readonly address: string
  readonly header: string
  readonly since: Date
  /** The settings now name the proxy, but the server has not been restarted. */
  readonly isNamed: boolean
  readonly problem: string
  readonly remedy: string
}

export async function untrustedProxiesOf(
  db: Db,
  config: Pick<Config, 'trustedProxies' | 'demo'>,
  now: RealTime,
): Promise<UntrustedProxy[]> {
  const isTrusted = trustedNetworks(config)
  const rows = await selectUntrustedProxies(db, new Date(now.getTime() - FORGOTTEN_AFTER_MS))
  return rows.map(({ address, header, firstSeenAt }) => ({
    address,
    header,
    since: firstSeenAt,
    isNamed: isTrusted(address) && header === READ,
    problem: isTrusted(address)
      ? `${address} forwards visitors and sends only ${SPELLED[header] ?? header}; the shop reads X-Forwarded-For`
      : `${address} forwards visitors (${header}), but TRUSTED_PROXIES does not name it`,
    remedy: remedyFor(config, { address, header }),
  }))
}

function remedyFor(
  config: Pick<Config, 'trustedProxies' | 'demo'>,
  { address, header }: { readonly address: string; readonly header: string },
): string {
  const sendsHeader = 'Make it send X-Forwarded-For with the visitor’s address.'
  if (trustedNetworks(config)(address)) return sendsHeader
  const named = `Set TRUSTED_PROXIES=${[...config.trustedProxies, address].join(',')} and restart the shop${
    isPrivate(address)
      ? '.'
      : ', if this is your proxy or CDN (better: all networks that its operator publishes). If not, nothing is to be done.'
  }`
  return header === READ ? named : `${named} ${sendsHeader}`
}
