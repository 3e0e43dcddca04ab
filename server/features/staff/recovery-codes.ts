import { createHmac, randomInt } from 'node:crypto'
import type { Db } from '../../db/open.ts'
import { keysFor } from '../../settings/keys.ts'
import type { Shop } from '../../shop.ts'
import { replaceRecoveryCodes } from './queries.ts'

/** Without letters and digits that look alike. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz'
const COUNT = 10
/** 49 random bits. */
const LENGTH = 10

/** Shown once: only their hashes are stored. */
export async function giveRecoveryCodes(
  tx: Db,
  { config }: Pick<Shop, 'config'>,
  staffId: string,
): Promise<string[]> {
  const codes = Array.from({ length: COUNT }, newCode)
  const [key] = keysFor(config, 'recovery-code')
  await replaceRecoveryCodes(
    tx,
    staffId,
    codes.map((code) => hashed(key, code)),
  )
  return codes
}

/** With each key, so that codes outlive a change of `APP_KEYS` as long as the old key is listed. */
export const recoveryHashes = ({ config }: Pick<Shop, 'config'>, typed: string): string[] =>
  keysFor(config, 'recovery-code').map((key) => hashed(key, typed))

const newCode = (): string =>
  Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)])
    .join('')
    .replace(/^(.{5})/, '$1-')

const hashed = (key: Buffer, code: string): string =>
  createHmac('sha256', key)
    .update(code.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))
    .digest('base64url')
