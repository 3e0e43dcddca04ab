import * as contract from '#contract/office/settings.ts'
import type { LogbookValue } from '../../db/schema/logbook.ts'
import { act } from '../../features/activity/service.ts'
import {
  type Change,
  planChange,
  standingFile,
  writeShopFile,
} from '../../features/shop-details/change-file.ts'
import { refused } from '../../http/http-errors.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import type { Config } from '../../settings/config.ts'
import { faintOf, type OwnersColours, pairsInHex } from '../../settings/owners-colours.ts'
import { versionOf } from '../../settings/owners-details.ts'
import type { StaffCaller } from '../../auth/staff.ts'

export function registerSettings(server: ApiServer): void {
  const { shop } = server

  serve(server, contract.getSettings, async () => ({
    ...(await standingFile(shop)),
    logoUrl: shop.config.details.logo?.url ?? null,
    server: serverSettings(shop.config),
  }))

  const change = async (
    staff: StaffCaller,
    { picture, ...asked }: Change,
  ): Promise<{ entry: number | null; what: string }> => {
    const { before, next } = await planChange(shop, asked)
    const was: Readonly<Record<string, unknown>> = { ...before }
    const will: Readonly<Record<string, unknown>> = { ...next }
    const keys = Object.keys(asked.changes).filter(
      (key) => JSON.stringify(was[key]) !== JSON.stringify(will[key]),
    )
    if (keys.length === 0) return { entry: null, what: 'Nothing changed' }
    const what = `Changed ${keys.join(', ')} in the settings`
    const { entry } = await act(shop, staff, {
      kind: 'settings change',
      about: 'settings',
      what,
      before: valuesOf(was, keys),
      after: valuesOf(will, keys),
      carryOut: () => writeShopFile(shop, next, picture),
    })
    return { entry, what }
  }

  serve(server, contract.changeSettings, ({ staff, body }) => change(staff, body))
  serve(
    server,
    contract.setPicture,
    async ({ staff, params: { which }, body: { version, type, base64 } }) => {
      const bytes = Buffer.from(base64, 'base64')
      const { iconsOf, logoOf, PictureRefused } = await import('../../features/shop-details/pictures.ts')
      try {
        const { file } = await standingFile(shop)
        await (which === 'logo' ? logoOf(bytes) : iconsOf(bytes, file))
      } catch (error) {
        if (error instanceof PictureRefused) throw refused(`The picture ${error.message}.`)
        throw error
      }
      // A name for each content, so that undo finds the former picture.
      const name = `${which}-${versionOf(bytes)}.${type}`
      return change(staff, { version, changes: { [which]: name }, picture: { name, bytes } })
    },
  )

  serve(server, contract.previewColours, async ({ body }) => {
    const unreadable = WHICH.filter((which) => body[which] !== undefined && !COLOUR.test(body[which]))
    if (unreadable.length > 0)
      return {
        faults: unreadable.map((which) => ({ which, says: 'A colour is written #1F3D43.', nearest: null })),
        tokens: {},
      }
    const colours: OwnersColours = { ...body }
    return { faults: faintOf(colours), tokens: pairsInHex(colours) }
  })
}

const WHICH = ['paper', 'accent', 'button'] as const
const COLOUR = /^#[\da-f]{6}$/i

function valuesOf(values: Readonly<Record<string, unknown>>, keys: readonly string[]): LogbookValue {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what JSON.parse returns is a LogbookValue
  return JSON.parse(
    JSON.stringify(Object.fromEntries(keys.map((key) => [key, values[key] ?? null]))),
  ) as LogbookValue
}

const isThere = (secret: unknown): string | null => (secret ? 'set' : null)

function serverSettings(config: Config) {
  return [
    { name: 'PUBLIC_URL', what: 'The shop’s address', value: config.publicUrl },
    { name: 'SMTP_URL', what: 'The server that sends email', value: isThere(config.smtpUrl) },
    {
      name: 'STRIPE_SECRET_KEY',
      what: 'The key of the payment provider; with it STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET',
      value: isThere(config.payments),
    },
    { name: 'BACKUP_TO', what: 'The folder of the nightly backups', value: config.backupTo ?? null },
    { name: 'BACKUP_PASSPHRASE', what: 'Encrypts the backups', value: isThere(config.backupPassphrase) },
    { name: 'DATA_DIR', what: 'The folder with shop.json, keys and media', value: config.dataDir },
    {
      name: 'CODE_KEY',
      what: 'The key of cards and gifts; without it, code.key in DATA_DIR',
      value: isThere(config.codeKey),
    },
    { name: 'DATABASE_URL', what: 'A PostgreSQL of your own', value: isThere(config.databaseUrl) },
    { name: 'SHOP_ZONE', what: 'The time zone, unless it is set here', value: config.shopZone },
    {
      name: 'TRUSTED_PROXIES',
      what: 'Proxies in front of the shop',
      value: config.trustedProxies.join(', ') || null,
    },
    { name: 'LOG_LEVEL', what: 'How much is logged', value: config.logLevel },
  ]
}
