import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { sizeInWords } from '../../backup/progress.ts'
import type { Config } from '../../settings/config.ts'
import { broken, fine, type Finding, look } from '../finding.ts'

/** Working space for an embedded database, an import and a backup. */
const LITTLE_BYTES = 2e9
const TOO_LITTLE_BYTES = 300e6

export async function checkDisk({ dataDir }: Pick<Config, 'dataDir'>): Promise<Finding> {
  let folder = dataDir
  while (!existsSync(folder)) folder = dirname(folder)
  const { bavail, blocks, bsize } = await statfs(folder)
  return roomOf(bavail * bsize, blocks * bsize, dataDir)
}

export function roomOf(free: number, all: number, dataDir: string): Finding {
  const says = `${sizeInWords(free)} of ${sizeInWords(all)} are free for ${dataDir}.`
  if (free < TOO_LITTLE_BYTES) return broken(`Only ${says} Make room, or orders will be refused.`)
  return free < LITTLE_BYTES || free < all / 20 ? look(`Only ${says} Make room soon.`) : fine(says)
}
